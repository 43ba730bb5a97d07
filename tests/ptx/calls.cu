// Source of calls_sm75.ptx: nvcc -ptx -rdc=true -arch=sm_75. Executed by the unit tests (core/test_call.c), which hold the same in C.
struct Big {
	int a[5];
	double d;
};
__device__ __noinline__ int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ int odd(int n);
__device__ __noinline__ int even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}
__device__ __noinline__ int odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}
__device__ __noinline__ Big change(Big b, int k)
{
	for (int i = 0; i < 5; i++)
		b.a[i] += k;
	b.d *= 2;
	return b;
}
__device__ __noinline__ int deep(int n, int *outer)
{
	int mine[4];

	for (int i = 0; i < 4; i++)
		mine[i] = n * 10 + i;
	if (n == 0)
		return outer[0] + outer[1] + outer[2] + outer[3];
	return deep(n - 1, mine) + mine[n & 3] + outer[n & 3];
}
typedef int (*operation)(int, int);
__device__ __noinline__ int add(int a, int b)
{
	return a + b;
}
__device__ __noinline__ int sub(int a, int b)
{
	return a - b;
}
__device__ operation table[3] = { add, sub, add };
struct Shape {
	__device__ virtual int area(int k) = 0;
};
struct Square : Shape {
	int s;
	__device__ Square(int v) : s(v) {}
	__device__ int area(int k) override { return s * s + k; }
};
struct Rectangle : Shape {
	int w, h;
	__device__ Rectangle(int a, int b) : w(a), h(b) {}
	__device__ int area(int k) override { return w * h - k; }
};
extern "C" __global__ void k(int *out)
{
	int t = threadIdx.x;
	Big b, c;
	int four[4] = { t, t + 1, t + 2, t + 3 };
	Square square(t);
	Rectangle rectangle(t, 3);
	Shape *shape = t & 1 ? (Shape *)&square : (Shape *)&rectangle;

	for (int i = 0; i < 5; i++)
		b.a[i] = t + i;
	b.d = t;
	c = change(b, t);
	out[t] = fib(t % 12) + 1000 * even(t) + c.a[0] + c.a[4] + (int)c.d + b.a[0] + 7 * deep(t % 6, four) + 11 * table[t % 3](t, 5) +
		 13 * shape->area(t);
}
