import type { CallerSide } from '../protocol.ts';
import { encodeError } from './errors.ts';
import { createStreamEncoder, type Framing } from './stream-encoder.ts';

const separator = ',\r\n';

interface ArrayFraming extends Framing {
  /** Writes a piece that is already JSON. */
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

/** Stream format for callers without `alt=sse`: one JSON array whose elements are sent as they arrive. */
export const arrayStream = {
  createStreamEncoder: (context) => createStreamEncoder(context, createArrayFraming()),
  createReframer() {
    const framing = createArrayFraming();
    return ({ data }) => (data === '' ? '' : framing.writeJson(data));
  },
  // The array has at least one element here, because earlier errors are sent as an HTTP status.
  encodeStreamError: (error, { requestId }) =>
    `${separator}${JSON.stringify(encodeError(error, requestId))}]`,
  streamContentType: 'application/json; charset=utf-8',
  streamEnd: ']',
} satisfies Partial<CallerSide>;
