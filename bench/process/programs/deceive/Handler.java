// Java waits for a latch, and a handler of a signal opens it: `Handler NAME FOLDER`.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

class Handler {
  public static void main(String[] words) throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    Signal.handle(new Signal(words[0]), signal -> told.countDown());
    Path file = Path.of(words[1], "pid.new");
    Files.writeString(file, Long.toString(ProcessHandle.current().pid()));
    Files.move(file, Path.of(words[1], "pid"));
    told.await();
    System.out.println("went on");
  }
}
