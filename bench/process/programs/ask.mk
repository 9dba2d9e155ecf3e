all:
	@read -r answer; echo "$$answer"
