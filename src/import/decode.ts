/** A file that cannot be read as a document; the message says what and where. */
export class UnreadableDocument extends Error {}

/** Larger than any tracker kept by hand, and small enough to be read in seconds. */
export const LARGEST_MB = 5;

/**
 * Bytes to text: UTF-8 without byte order mark, line ends as LF.
 * @throws {UnreadableDocument} for other encodings, with the line of the first wrong byte, and for files over {@link LARGEST_MB}
 */
export function decodeDocument(name: string, bytes: Uint8Array): string {
  if (bytes.length > LARGEST_MB * 1e6) {
    throw new UnreadableDocument(
      `${name} has ${Math.round(bytes.length / 1e6)} MB; a document of more than ${LARGEST_MB} MB is not read. Split it and import the parts.`,
    );
  }
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new UnreadableDocument(`${name} is UTF-16. Save it as UTF-8.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch {
    const line = wrongLine(bytes);
    throw new UnreadableDocument(`${name}:${line} is not valid UTF-8. Save the file as UTF-8; nothing was written.`);
  }
}

/** The line of the first byte that is no UTF-8. */
function wrongLine(bytes: Uint8Array): number {
  let line = 1;
  let from = 0;
  const strict = new TextDecoder("utf-8", { fatal: true });
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== 0x0a) continue;
    try {
      strict.decode(bytes.subarray(from, at));
    } catch {
      return line;
    }
    line += 1;
    from = at + 1;
  }
  return line;
}
