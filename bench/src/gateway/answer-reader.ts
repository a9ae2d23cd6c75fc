const headEnd = '\r\n\r\n';
// Ends a chunked body. Responses are JSON and events, which contain no CRLF, so it occurs nowhere else.
const lastChunk = '0\r\n\r\n';

export type Progress = 'head' | 'body' | 'whole';

/**
 * Returns a reader for consecutive responses on one connection: it accepts bytes as they arrive and reports progress.
 * Throws if the status is not 200. Does as little work as possible.
 */
export function createAnswerReader(): (chunk: Buffer) => Progress {
  let head = '';
  let missingBytes = 0;
  let tail = '';
  let takeMore = takeHead;
  return (chunk) => {
    const progress = takeMore(chunk.toString('latin1'));
    if (progress === 'whole') {
      head = '';
      tail = '';
      takeMore = takeHead;
    }
    return progress;
  };

  function takeHead(text: string): Progress {
    head += text;
    const end = head.indexOf(headEnd);
    if (end === -1) return 'head';
    if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`refused: ${head.slice(0, 1_000)}`);
    const body = head.slice(end + headEnd.length);
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end)) ?? [];
    missingBytes = Number(length);
    takeMore = length === undefined ? takeChunked : takeSized;
    return body === '' && missingBytes !== 0 ? 'head' : takeMore(body);
  }

  function takeSized(text: string): Progress {
    missingBytes -= text.length;
    return missingBytes <= 0 ? 'whole' : 'body';
  }

  function takeChunked(text: string): Progress {
    tail = (tail + text).slice(-lastChunk.length);
    return tail === lastChunk ? 'whole' : 'body';
  }
}
