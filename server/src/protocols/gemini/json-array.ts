import type { CallerSide } from '../protocol.ts';
import { encodeError } from './errors.ts';
import { createStreamEncoder, type Framing } from './stream-encoder.ts';

const separator = ',\r\n';

function createArrayFraming(): Framing & { writeText(json: string): string } {
  let isBegun = false;
  const begin = () => {
    const opening = isBegun ? separator : '[';
    isBegun = true;
    return opening;
  };
  const writeText = (json: string) => begin() + json;
  return {
    writeText,
    write: (piece) => writeText(JSON.stringify(piece)),
    end: () => (isBegun ? ']' : '[]'),
  };
}

/** A stream for callers who leave out `alt=sse`: one JSON array, its elements as they come. */
export const arrayStream = {
  createStreamEncoder: (context) => createStreamEncoder(context, createArrayFraming()),
  createReframer() {
    const framing = createArrayFraming();
    return ({ data }) => (data === '' ? '' : framing.writeText(data));
  },
  // An error in a stream follows its first element: before that, it has a status of its own.
  encodeStreamError: (error, requestId) => `${separator}${JSON.stringify(encodeError(error, requestId))}]`,
  streamContentType: 'application/json; charset=utf-8',
  streamEnd: ']',
} satisfies Partial<CallerSide>;
