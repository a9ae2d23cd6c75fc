/** The settings result in a response of about 1 KB. */
export const providerModel = 'sandbox-normal:tokens=80';
const text = 'The early miller opens the gate and lets the water of the river run through the quiet garden. ';

/** Returns a chat completion request of the given size, which every subject accepts. */
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
