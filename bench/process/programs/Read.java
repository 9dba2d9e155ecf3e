/** Reads stdin; java's main thread is not its process's. */
public class Read {
  public static void main(String[] words) throws Exception {
    System.in.read();
  }
}
