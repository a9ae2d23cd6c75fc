import type { Target } from './subject.ts';

/** Model with settings that cause a response of about 1 KB. */
export const providerModel = 'sandbox-normal:tokens=80';
const text =
  'The early miller opens the gateway and lets the water of the river run through the quiet garden. ';

/** Returns a chat completion request of the given size that every subject accepts. */
export function createRequestBody({ bytes, isStreaming }: { bytes: number; isStreaming: boolean }): string {
  const render = (content: string) =>
    JSON.stringify({
      model: providerModel,
      messages: [{ role: 'user', content }],
      ...(isStreaming ? { stream: true } : {}),
    });
  const room = Math.max(1, bytes - render('').length);
  return render(text.repeat(Math.ceil(room / text.length)).slice(0, room));
}

/**
 * Throws unless a target responds with the provider's exact text. Otherwise, the benchmark would measure something
 * else.
 */
export async function checkAnswer(
  name: string,
  target: Target,
  provider: Target,
  body: string,
): Promise<void> {
  const [answer, expected] = [await readAnswer(target, body), await readAnswer(provider, body)];
  if (answer !== expected)
    throw new Error(`${name} returned "${answer}", but the provider returned "${expected}"`);
}

async function readAnswer({ url, headers }: Target, body: string): Promise<string> {
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const response = await fetch(url, init).catch((cause: Error) => {
    throw new Error(`${url} does not respond`, { cause });
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text}`);
  return readText(text);
}

export function readText(answer: string): string {
  const texts = answer.startsWith('{') ? [answer] : answer.match(/(?<=^data: )\{.*$/gm);
  const contents = texts?.map((text) => {
    const [choice] = JSON.parse(text).choices;
    return choice?.message?.content ?? choice?.delta?.content ?? '';
  });
  return contents?.join('') ?? '';
}
