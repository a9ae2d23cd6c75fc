/** Numbered requests to another process and their responses. */
export interface Questions<Answer = void> {
  /** Resolves with the response, or with `undefined` if there will be none. */
  ask(): Promise<Answer | undefined>;
  answer(id: number, answer: Answer): void;
  /** Resolves all open and later requests with `undefined`. */
  close(): void;
}

export function createQuestions<Answer = void>(send: (id: number) => void): Questions<Answer> {
  const open = new Map<number, (answer: Answer | undefined) => void>();
  let isClosed = false;
  let lastId = 0;
  const settle = (id: number, answer: Answer | undefined) => {
    open.get(id)?.(answer);
    open.delete(id);
  };
  return {
    ask() {
      if (isClosed) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      lastId += 1;
      open.set(lastId, resolve);
      send(lastId);
      return promise;
    },
    answer: settle,
    close() {
      isClosed = true;
      for (const id of open.keys()) settle(id, undefined);
    },
  };
}
