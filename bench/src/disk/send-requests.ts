import { readRealTexts } from './real-texts.ts';

export interface Sending {
  readonly origin: string;
  readonly apiKey: string;
  readonly count: number;
  readonly promptBytes: number;
}

const inFlight = 32;
/** The sandbox echoes the prompt, so that responses do not repeat either. */
const model = 'sandbox-echo';

/** Sends the given number of requests, each with its own text. */
export async function sendRequests({ origin, apiKey, count, promptBytes }: Sending): Promise<void> {
  const texts = readRealTexts(promptBytes);
  let sent = 0;
  const send = async () => {
    while (sent < count) {
      sent += 1;
      const { value: content, done } = await texts.next();
      if (done) throw new Error('there is not enough text in node_modules for so many requests');
      const answer = await fetch(`${origin}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`a request got a ${answer.status}: ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, send));
}
