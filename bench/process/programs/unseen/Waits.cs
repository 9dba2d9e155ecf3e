// Waits of .NET programs: `Waits WAY`.
using System;
using System.Threading;

class Waits {
  static void Main(string[] words) {
    switch (words[0]) {
      case "line": Console.ReadLine(); break;
      case "event": new ManualResetEvent(false).WaitOne(); break;
      case "sleep": Thread.Sleep(1000000); break;
      case "monitors":
        object one = new object(), other = new object();
        var thread = new Thread(() => Take(other, one));
        thread.Start();
        Take(one, other);
        break;
    }
  }

  static void Take(object first, object second) {
    lock (first) {
      Thread.Sleep(200);
      lock (second) { }
    }
  }
}
