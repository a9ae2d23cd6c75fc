import { ApiError } from '@sluice/contract';
import { tenantHeaders } from '../../lib/acting-tenant.ts';
import { endSession, readToken } from '../../lib/token.ts';

/** A call answered by an event stream, with a callback for its text. */
export interface AnswerCall {
  readonly path: string;
  readonly body: object;
  readonly onText: (text: string) => void;
}

/**
 * Sends a message and calls `onText` as the answer arrives; resolves when the answer is stored.
 * @throws ApiError with the server's message, also if the stream is interrupted.
 */
export async function streamAnswer({ path, body, onText }: AnswerCall): Promise<void> {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      ...tenantHeaders(),
      authorization: `Bearer ${readToken()}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(body),
  });
  if (response.status === 401) endSession();
  if (!response.ok || !response.body) throw await readRefusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) readFrame(frame, onText);
  }
}

function readFrame(frame: string, onText: (text: string) => void): void {
  const [event = '', data = ''] = frame.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
  const told: { text?: string; detail?: string } = JSON.parse(data);
  if (event === 'delta') onText(told.text ?? '');
  if (event === 'error') throw new ApiError(502, told.detail ?? '', [], null);
}

/** Reads the server's error message; of several invalid fields, all messages. */
async function readRefusal(response: Response): Promise<ApiError> {
  const { detail }: { detail?: unknown } = await response.json().catch(() => ({}));
  const problems: { msg?: string }[] = Array.isArray(detail) ? detail : [];
  const message = typeof detail === 'string' ? detail : problems.map(({ msg }) => msg).join(', ');
  return new ApiError(response.status, message, [], null);
}
