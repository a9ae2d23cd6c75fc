import { createServer } from 'node:http';
import { z } from 'zod';
import { listenHttp } from './listen-http.ts';

const value = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  boolValue: z.boolean().optional(),
});
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) =>
    Object.fromEntries(
      list.map(({ key, value: { stringValue, intValue, boolValue } }) => [
        key,
        stringValue ?? boolValue ?? Number(intValue),
      ]),
    ),
  );
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  status: z.looseObject({ code: z.number().optional(), message: z.string().optional() }),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export type ReceivedSpan = z.infer<typeof span>;

export interface OtlpReceiver {
  readonly origin: string;
  readonly spans: readonly ReceivedSpan[];
  readonly resources: readonly Record<string, unknown>[];
  readonly bodies: readonly string[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  answer(status: number): void;
  close(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const bodies: string[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  let status = 200;
  const server = createServer(async (incoming, response) => {
    const body = (await Array.fromAsync(incoming)).join('');
    if (status === 200 && incoming.url === '/v1/traces') {
      bodies.push(body);
      headers.push(incoming.headers);
      for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
        resources.push(resource.attributes);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  const { origin, close } = await listenHttp(server);
  return { origin, spans, resources, bodies, headers, answer: (next) => (status = next), close };
}
