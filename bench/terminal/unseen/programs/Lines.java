/** A REPL of nobody in Java: whole lines from the console. */
class Lines {
  public static void main(String[] words) throws Exception {
    var console = System.console();
    for (String line; (line = console.readLine("%s", words[0])) != null; ) {
      var parts = line.split("\\*");
      if (parts.length == 2) System.out.println(Long.parseLong(parts[0]) * Long.parseLong(parts[1]));
      else if (line.equals("run") || line.equals("fake")) {
        System.out.print("now\n" + (line.equals("fake") ? words[0] : ""));
        System.out.flush();
        Thread.sleep(60_000);
        System.out.println("over");
      } else if (line.equals("ask")) System.out.println("got:" + console.readLine("Name? "));
      else if (line.equals("same")) System.out.println("got:" + console.readLine("%s", words[0]));
      else if (line.equals("more")) {
        while (!console.readLine("%s", words[1]).equals("end"));
        System.out.println(5183);
      }
    }
  }
}
