import { ApiError, chatsRoutes, pathOf } from '@sluice/contract';
import { endSession, readToken } from '../../lib/token.ts';

/** What is asked, and who hears of it. */
export interface Asked {
  readonly chatId: string;
  readonly content: string;
  readonly model?: string | undefined;
  readonly onText: (text: string) => void;
}

/**
 * Asks, and tells the answer as it comes; resolves when it is stored.
 * @throws ApiError in the server's words, also when the answer breaks off.
 */
export async function streamAnswer({ chatId, content, model, onText }: Asked): Promise<void> {
  const response = await fetch(pathOf(chatsRoutes.sendChatMessage), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readToken()}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ chat_id: chatId, content, ...(model && { model }) }),
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

async function readRefusal(response: Response): Promise<ApiError> {
  const { detail }: { detail?: unknown } = await response.json().catch(() => ({}));
  return new ApiError(response.status, typeof detail === 'string' ? detail : '', [], null);
}
