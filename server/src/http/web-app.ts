import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const noncePlaceholder = /__CSP_NONCE__/g;

/** Sends the console's page; each response has its own nonce, which its styles carry. */
export type SendPage = (reply: FastifyReply) => FastifyReply;

/** Serves the built console: hashed assets with unlimited caching, and the page for every other browser path. */
export async function registerWebApp(
  app: FastifyInstance,
  { webFolder: folder, canLoadStripe = false }: { webFolder: string; canLoadStripe?: boolean | undefined },
): Promise<SendPage> {
  const pageFile = join(folder, 'index.html');
  if (!existsSync(pageFile)) {
    return (reply) =>
      reply.status(503).send({ detail: 'The console has not been built; "npm start" builds it.' });
  }
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  });
  const page = readFileSync(pageFile, 'utf8');
  return (reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', contentSecurityPolicy(nonce, canLoadStripe))
      .send(page.replace(noncePlaceholder, nonce));
  };
}

/**
 * Stripe's card fields are a script and frames from Stripe's origin (Stripe, "Security guide": content security
 * policy).
 */
function contentSecurityPolicy(nonce: string, canLoadStripe: boolean): string {
  const ifStripe = (sources: string) => (canLoadStripe ? sources : '');
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${ifStripe(' https://js.stripe.com')}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${ifStripe(' https://api.stripe.com')}`,
    ...(canLoadStripe ? ['frame-src https://js.stripe.com https://hooks.stripe.com'] : []),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
