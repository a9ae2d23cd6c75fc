import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { AnswerHead } from '../answer-head.ts';
import { matchRoute } from '../routes.ts';
import { receive } from './receive.ts';

it('receive takes the time of receipt from the request id, so that both identify the same day', () => {
  const match = matchRoute('POST', '/api/v1/chat/completions');
  if (match.kind !== 'route') throw new Error('the path is served');
  const request = new IncomingMessage(new Socket());
  const lateClock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  const response = new ServerResponse(request);
  const { id, receivedAtMs } = receive(request, response, new AnswerHead(response), match);
  lateClock.mockRestore();
  expect(receivedAtMs).toBe(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
  expect(Math.abs(receivedAtMs - Date.now())).toBeLessThan(1_000);
});
