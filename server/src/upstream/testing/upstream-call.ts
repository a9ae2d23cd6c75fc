import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { streamingTimeouts, type UpstreamRequest } from '#upstream/client.ts';
import { listenRaw, type RawServer } from './raw-server.ts';

export async function serve(onRequest?: (socket: Socket, request: string) => void): Promise<RawServer> {
  const server = await listenRaw(onRequest);
  onTestFinished(() => server.close());
  return server;
}

export function originOf(server: RawServer): string {
  return `http://127.0.0.1:${server.port}`;
}

export function requestTo(origin: string, changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    url: new URL(`${origin}/v1/chat/completions`),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
    timeouts: streamingTimeouts,
    ...changes,
  };
}
