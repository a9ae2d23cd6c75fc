import { readWireCases, type WireCase, writeSse } from '#test/requests/wire-cases.ts';

const endpoints = new Set(['generateContent', 'streamGenerateContent']);

export function readGeminiCases(): WireCase[] {
  return ['gemini', 'vertex'].flatMap(readWireCases).filter(({ endpoint }) => endpoints.has(endpoint));
}

/** Returns a recorded stream as SSE, even if it was recorded as a JSON array. */
export function writeStream({ response }: WireCase): Buffer {
  if (!Array.isArray(response.body)) return writeSse(response);
  return writeSse({ status: 200, sse: response.body.map((piece) => `data: ${JSON.stringify(piece)}`) });
}

export function isStream({ response }: WireCase): boolean {
  return response.sse !== undefined || (response.status === 200 && Array.isArray(response.body));
}
