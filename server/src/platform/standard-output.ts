import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const standardOutputFd = 1;
const retryAfterMs = 100;
/** Limit of pending text for a slow reader; lines beyond it are dropped. */
const waitingLengthMax = 2 ** 20;

/**
 * Writes lines to standard output asynchronously. A closed terminal or a full disk drops lines and neither ends nor
 * blocks the process, whereas pino's own destination throws on most failures and retries forever at exit.
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
      // There is no way to report this.
    }
  });
  return {
    write(line) {
      if (waiting.length + line.length <= waitingLengthMax) waiting += line;
      if (isWriting) return;
      isWriting = true;
      // Deferred: a write in progress when the process ends may be lost, pending lines are not.
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
