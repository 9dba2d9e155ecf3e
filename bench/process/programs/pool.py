# A pool of processes with short sleeps and short computations, for ever.
import multiprocessing
import time


def work(turn):
    if turn % 3:
        time.sleep(0.05)
    else:
        sum(i * i for i in range(200000))
    return turn


if __name__ == "__main__":
    with multiprocessing.Pool(4) as pool:
        while True:
            sum(pool.imap_unordered(work, range(400)))
