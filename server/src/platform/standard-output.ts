import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const standardOutputFd = 1;
const retryAfterMs = 100;
/** What may wait for a slow reader; lines beyond it are dropped. */
const waitingLengthMax = 2 ** 20;

/**
 * Writes lines to standard output, beside the process's other work. What cannot be written is dropped: a closed
 * terminal or a full disk costs log lines, and neither ends nor holds up the process. (The logger's own destination
 * throws at most failures, and at the end of the process tries for ever.)
 */
export function openStandardOutput(): DestinationStream {
  let waiting = '';
  let isWriting = false;

  const writeWaiting = () => {
    isWriting = waiting !== '';
    if (!isWriting) return;
    const bytes = Buffer.from(waiting);
    waiting = '';
    writeAll(bytes, writeWaiting);
  };
  process.once('exit', () => {
    try {
      if (waiting !== '') writeSync(standardOutputFd, waiting);
    } catch {
      // Nobody is left to be told.
    }
  });
  return {
    write(line) {
      if (waiting.length + line.length <= waitingLengthMax) waiting += line;
      if (isWriting) return;
      isWriting = true;
      // Not at once: what is on its way when the process ends may be lost, what waits is not.
      setImmediate(writeWaiting);
    },
  };
}

function writeAll(bytes: Buffer, onDone: () => void): void {
  write(standardOutputFd, bytes, (error, writtenBytes) => {
    if (error?.code === 'EAGAIN') setTimeout(writeAll, retryAfterMs, bytes, onDone);
    else if (error || writtenBytes === bytes.length) onDone();
    else writeAll(bytes.subarray(writtenBytes), onDone);
  });
}
