/** Milliseconds between two lines where no terminal can overwrite one. */
const PAUSE = 5000;

/**
 * Progress of long work on one line: overwritten on a terminal, else a new line every few seconds, so that a log stays readable.
 * @param stream stderr; results never pass here
 */
export function progressLine(stream: NodeJS.WriteStream): { show: (text: string) => void; done: () => void } {
  let last = -Infinity;
  let open = false;
  return {
    show: (text) => {
      if (stream.isTTY) {
        const width = Math.max(20, (stream.columns ?? 80) - 1);
        stream.write(`\r\u001b[2K${text.length > width ? `${text.slice(0, width - 1)}…` : text}`);
        open = true;
      } else if (performance.now() - last >= PAUSE) {
        last = performance.now();
        stream.write(`${text}\n`);
      }
    },
    done: () => {
      if (open) stream.write("\r\u001b[2K");
      open = false;
    },
  };
}
