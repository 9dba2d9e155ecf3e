# Four jobs and a make below, of which two may run at a time.
all: one two three below
one two three:
	@sleep 1000
below:
	@$(MAKE) -f $(firstword $(MAKEFILE_LIST)) one two
