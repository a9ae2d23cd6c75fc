import type { Logger } from '#platform/logger.ts';

/** Progress of a start: the port is closed until a start is over, so the log says what it is doing. */
export interface StartProgress {
  /** Logs the step, and again every 10 s until it is over. */
  begin(step: string): void;
  end(): void;
}

const everyMs = 10_000;

export function createStartProgress(log: Pick<Logger, 'info'>): StartProgress {
  const startedAtMs = performance.now();
  let step = '';
  const say = (words: string) => {
    const elapsedSeconds = Math.round((performance.now() - startedAtMs) / 1000);
    log.info({ step, elapsedSeconds }, words);
  };
  const timer = setInterval(() => say('still starting, the port is closed until this is done'), everyMs);
  return {
    begin(next) {
      step = next;
      say('starting');
    },
    end: () => clearInterval(timer),
  };
}
