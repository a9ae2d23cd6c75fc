import type { CallerSide } from '../protocol.ts';
import { encodeError } from './errors.ts';
import { createStreamEncoder, type Framing } from './stream-encoder.ts';

const separator = ',\r\n';

interface ArrayFraming extends Framing {
  /** Writes a piece that is JSON already. */
  writeJson(json: string): string;
}

function createArrayFraming(): ArrayFraming {
  let isBegun = false;
  const writeJson = (json: string) => {
    const opening = isBegun ? separator : '[';
    isBegun = true;
    return opening + json;
  };
  return {
    writeJson,
    write: (piece) => writeJson(JSON.stringify(piece)),
    end: () => (isBegun ? ']' : '[]'),
  };
}

/** A stream for callers who leave out `alt=sse`: one JSON array, its elements as they come. */
export const arrayStream = {
  createStreamEncoder: (context) => createStreamEncoder(context, createArrayFraming()),
  createReframer() {
    const framing = createArrayFraming();
    return ({ data }) => (data === '' ? '' : framing.writeJson(data));
  },
  // An error in a stream follows its first element: before that, it has a status of its own.
  encodeStreamError: (error, requestId) => `${separator}${JSON.stringify(encodeError(error, requestId))}]`,
  streamContentType: 'application/json; charset=utf-8',
  streamEnd: ']',
} satisfies Partial<CallerSide>;
