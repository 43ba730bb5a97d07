# tests/process/main.py -- the same in Python: main.py END PLUGIN ENDS
import ctypes, os, sys, _ctypes

how, path, ends = sys.argv[1:4]
if how == "cleared":
    ctypes.CDLL(None).clearenv()
for i in range(3 if how == "dlclose" else 1):
    plugin = ctypes.CDLL(path)
    r = plugin.work()
    print("work:", "BAD" if r else "OK", r, flush=True)
    if how == "dlclose":
        _ctypes.dlclose(plugin._handle)
        if i == 2:
            sys.exit(r != 0)
words = [os.fsencode(w) for w in [sys.executable, sys.argv[0], "return", path, ends]]
arguments = (ctypes.c_char_p * 6)(*words, None)
ctypes.CDLL(ends).end(how.encode(), plugin.work, arguments)
sys.exit(r != 0)
