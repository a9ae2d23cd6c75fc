import { connect, type Socket } from 'node:net';

const authorization = 'Bearer sk-test';

/** Posts a chat completion without a client library, so that tests receive the raw bytes. */
export function postChat(origin: string, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello there' }], ...body }),
    ...init,
    headers: { authorization, ...init.headers },
  });
}

export function openChat(origin: string, body: object, requestId: string): Socket {
  const { hostname, port } = new URL(origin);
  const json = JSON.stringify({ messages: [{ role: 'user', content: 'Hello there' }], ...body });
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${authorization}\r\n` +
      `x-client-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
  return socket;
}

export function payloadsOf(text: string): string[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => event.replace(/^data: /, ''));
}

/** Reads a body to its end, or to the point where the connection broke. */
export async function readBroken(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}
