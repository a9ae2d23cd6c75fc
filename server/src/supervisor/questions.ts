/** Questions to another process, which answers each by its number. */
export interface Questions {
  /** Resolves with the answer, or when there will be none. */
  ask(): Promise<void>;
  answer(id: number): void;
  /** Gives up those that are open, and all that follow. */
  close(): void;
}

export function createQuestions(send: (id: number) => void): Questions {
  const open = new Map<number, () => void>();
  let isClosed = false;
  let lastId = 0;
  const answer = (id: number) => {
    open.get(id)?.();
    open.delete(id);
  };
  return {
    ask() {
      if (isClosed) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      lastId += 1;
      open.set(lastId, resolve);
      send(lastId);
      return promise;
    },
    answer,
    close() {
      isClosed = true;
      for (const id of open.keys()) answer(id);
    },
  };
}
