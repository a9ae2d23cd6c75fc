import type { ServerResponse } from 'node:http';

/** Resolves after the time, or at once when the client leaves. */
export function pause(response: ServerResponse, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const settle = () => {
      clearTimeout(timer);
      response.off('close', settle);
      resolve();
    };
    const timer = setTimeout(settle, durationMs);
    response.on('close', settle);
  });
}

/** Resolves when the socket takes more, or when the client leaves. */
export function untilRoom(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

/** Resolves when the response is over, whole or not. */
export function untilOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) return resolve();
    response.on('close', resolve);
  });
}
