/* A REPL with a line editor of its own: reads byte by byte in raw mode and echoes itself. Built with STAYS the terminal
   stays raw while a command runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios cooked, raw;
#ifdef STAYS
static const int stays = 1;
#else
static const int stays = 0;
#endif

static int readLine(const char *prompt, char *line, int size) {
  int length = 0;
  char c;
  tcsetattr(0, TCSADRAIN, &raw);
  printf("%s", prompt);
  fflush(stdout);
  while (read(0, &c, 1) == 1 && c != '\r' && c != '\n') {
    if (c == 4) return -1;
    if (c == 127 || c == 8) length -= length > 0;
    else if (c >= ' ' && length < size - 1) line[length++] = c;
    line[length] = 0;
    printf("\r\x1b[K%s%s", prompt, line);
    fflush(stdout);
  }
  line[length] = 0;
  printf("\r\n");
  if (!stays) tcsetattr(0, TCSADRAIN, &cooked);
  return length;
}

int main(int argc, char **argv) {
  const char *prompt = argc > 1 ? argv[1] : "> ", *more = argc > 2 ? argv[2] : "";
  char line[200], answer[200];
  long a, b;
  tcgetattr(0, &cooked);
  raw = cooked;
  raw.c_lflag &= ~(ICANON | ECHO | ISIG | IEXTEN);
  raw.c_iflag &= ~(ICRNL | IXON);
  while (readLine(prompt, line, sizeof line) >= 0) {
    if (sscanf(line, "%ld*%ld", &a, &b) == 2) printf("%ld\r\n", a * b);
    else if (strcmp(line, "run") == 0 || strcmp(line, "fake") == 0) {
      printf("now\r\n%s", *line == 'f' ? prompt : "");
      fflush(stdout);
      sleep(60);
      printf("over\r\n");
    } else if (strcmp(line, "ask") == 0 || strcmp(line, "same") == 0) {
      readLine(*line == 'a' ? "Name? " : prompt, answer, sizeof answer);
      printf("got:%s\r\n", answer);
    } else if (strcmp(line, "more") == 0) {
      while (readLine(more, line, sizeof line) >= 0 && strcmp(line, "end") != 0);
      printf("5183\r\n");
    }
  }
  tcsetattr(0, TCSADRAIN, &cooked);
  return 0;
}
