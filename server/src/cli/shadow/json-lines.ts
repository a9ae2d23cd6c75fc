import type { z } from 'zod';

/**
 * Maximum line length. A line with an image may be as long as the base64 of the largest body that the gateway accepts
 * by default.
 */
const lineBytesMax = 32 * 1024 * 1024;
const lineFeed = 0x0a;

/**
 * Reads objects from JSON lines and skips empty lines. Errors name the source as `shown`.
 * @throws Error that names the source, the line and the field
 */
export async function* readJsonLines<Shape extends z.ZodType>(
  source: AsyncIterable<Buffer | string>,
  shape: Shape,
  shown: string,
): AsyncGenerator<z.output<Shape>> {
  let number = 0;
  for await (const text of splitLines(source, () => `${shown}, line ${number + 1}`)) {
    number++;
    if (text.trim() !== '') yield parseLine(shape, text, `${shown}, line ${number}`);
  }
}

async function* splitLines(
  source: AsyncIterable<Buffer | string>,
  place: () => string,
): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes > lineBytesMax)
      throw new Error(`${place()}: the line is longer than ${lineBytesMax / 2 ** 20} MiB.`);
    parts.push(part);
  };
  const take = () => {
    const line = Buffer.concat(parts).toString();
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of source) {
    const buffer = Buffer.from(chunk);
    let from = 0;
    for (let end = buffer.indexOf(lineFeed); end !== -1; end = buffer.indexOf(lineFeed, from)) {
      add(buffer.subarray(from, end));
      from = end + 1;
      yield take();
    }
    add(buffer.subarray(from));
  }
  yield take();
}

function parseLine<Shape extends z.ZodType>(shape: Shape, text: string, place: string): z.output<Shape> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`${place}: the line is not a JSON object.`);
  }
  const { data, error } = shape.safeParse(json);
  if (!error) return data;
  const [issue] = error.issues;
  throw new Error(`${place}: ${issue?.path.join('.') || 'the line'}: ${issue?.message}.`);
}
