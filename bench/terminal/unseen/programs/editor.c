/* A REPL of nobody: readline or libedit, a prompt and a continuation of the caller's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef EDITLINE
#include <editline/readline.h>
#else
#include <readline/history.h>
#include <readline/readline.h>
#endif

int main(int argc, char **argv) {
  const char *prompt = argc > 1 ? argv[1] : "> ", *more = argc > 2 ? argv[2] : "";
  char *line, answer[200];
  long a, b;
  while ((line = readline(prompt)) != NULL) {
    if (*line) add_history(line);
    if (sscanf(line, "%ld*%ld", &a, &b) == 2) printf("%ld\n", a * b);
    else if (strcmp(line, "run") == 0 || strcmp(line, "fake") == 0) {
      printf("now\n%s", *line == 'f' ? prompt : "");
      fflush(stdout);
      sleep(60);
      puts("over");
    } else if (strcmp(line, "ask") == 0 || strcmp(line, "same") == 0) {
      fputs(*line == 'a' ? "Name? " : prompt, stdout);
      fflush(stdout);
      if (fgets(answer, sizeof answer, stdin)) printf("got:%s", answer);
    } else if (strcmp(line, "more") == 0) {
      while ((line = readline(more)) != NULL && strcmp(line, "end") != 0) free(line);
      puts("5183");
    } else if (*line) puts("what?");
    free(line);
  }
  return 0;
}
