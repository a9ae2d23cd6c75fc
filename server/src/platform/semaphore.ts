/** Runs work when one of a few slots is free, in the order of arrival. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** More work waits than the semaphore was told to hold. */
export class SemaphoreFullError extends Error {
  override readonly name = 'SemaphoreFullError';
}

export function createSemaphore(slots: number, waitingMax: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (running < slots) running++;
    else if (waiting.length >= waitingMax) throw new SemaphoreFullError('too much work is waiting');
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const passSlotOn = waiting.shift();
      if (passSlotOn) passSlotOn();
      else running--;
    }
  };
}
