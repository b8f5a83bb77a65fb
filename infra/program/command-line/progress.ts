/** One line on standard error that says what is going on, rewritten in place on a terminal. */
interface Progress {
  say: (text: string) => void;
  /** Ends the line, so that what follows begins on its own. */
  end: () => void;
}

/** On anything but a terminal a line is written at most once in this time. */
const everyMs = 2_000;

/** Progress on `stream`, standard error by default. */
export function createProgress(
  stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'> = process.stderr,
): Progress {
  let last = 0;
  let open = false;
  return {
    say: (text) => {
      if (stream.isTTY) {
        stream.write(`\r\u001B[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
        open = true;
      } else if (Date.now() - last >= everyMs) {
        stream.write(`${text}\n`);
        last = Date.now();
      }
    },
    end: () => {
      if (open) stream.write('\r\u001B[2K');
      open = false;
    },
  };
}
