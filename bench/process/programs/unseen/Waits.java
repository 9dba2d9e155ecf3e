// Waits of Java programs: `Waits WAY`.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

class Waits {
  public static void main(String[] words) throws Exception {
    switch (words[0]) {
      case "latch" -> new CountDownLatch(1).await();
      case "monitors" -> {
        Object one = new Object(), other = new Object();
        Thread thread = new Thread(() -> take(other, one));
        thread.start();
        take(one, other);
      }
      case "locks" -> {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread thread = new Thread(lock::lock);
        thread.start();
        thread.join();
      }
      // A child whose output nobody takes is waited for.
      case "full" -> new ProcessBuilder("head", "-c", "1M", "/dev/zero").start().waitFor();
      case "sleep" -> Thread.sleep(1_000_000);
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  static void take(Object first, Object second) {
    synchronized (first) {
      try {
        Thread.sleep(200);
      } catch (InterruptedException ended) {
        return;
      }
      synchronized (second) {
        second.notify();
      }
    }
  }
}
