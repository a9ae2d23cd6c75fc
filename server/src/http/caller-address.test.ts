import { expect, it } from 'vitest';
import { createRequestSource } from './caller-address.ts';

const sourceOf = (peer: string, trustedProxies: string[], headers: Record<string, string>) =>
  // safe because only the peer's address is read from the socket
  createRequestSource(trustedProxies)({ headers, socket: { remoteAddress: peer } as never });

it.each<[string, string, string[], string, string]>([
  ['is the peer without a trusted proxy', '127.0.0.1', [], '203.0.113.9', '127.0.0.1'],
  ['is the peer if another proxy is trusted', '127.0.0.1', ['10.0.0.0/8'], '203.0.113.9', '127.0.0.1'],
  ['is the entry that a trusted proxy appended', '127.0.0.1', ['127.0.0.0/8'], '203.0.113.9', '203.0.113.9'],
  [
    'is the last entry if the client sent others',
    '127.0.0.1',
    ['127.0.0.0/8'],
    '198.51.100.1, 203.0.113.9',
    '203.0.113.9',
  ],
  [
    'is the entry before a chain of trusted proxies',
    '10.0.0.1',
    ['10.0.0.0/8'],
    '198.51.100.1, 203.0.113.9,10.9.9.9',
    '203.0.113.9',
  ],
  [
    'is read from an IPv4-mapped address',
    '::ffff:10.0.0.1',
    ['10.0.0.0/8'],
    '::ffff:203.0.113.9',
    '203.0.113.9',
  ],
  ['has no port', '10.0.0.1', ['10.0.0.0/8'], '203.0.113.9:51000', '203.0.113.9'],
  ['has no port with IPv6', 'fd00::1', ['fd00::/8'], '[2001:DB8::9]:51000', '2001:db8::9'],
  ['is the proxy if the entry is unknown', '10.0.0.1', ['10.0.0.0/8'], 'unknown', '10.0.0.1'],
  ['is the proxy if the entry is text', '10.0.0.1', ['10.0.0.0/8'], '203.0.113.9, x'.repeat(50), '10.0.0.1'],
  ['is the proxy if the entry is empty', '10.0.0.1', ['10.0.0.0/8'], '', '10.0.0.1'],
])('the client IP of a request %s', (_name, peer, trustedProxies, forwardedFor, expected) => {
  expect(sourceOf(peer, trustedProxies, { 'x-forwarded-for': forwardedFor }).address).toBe(expected);
});

it.each<[string, string[], Record<string, string>, boolean]>([
  ['no header', [], {}, false],
  ['a trusted proxy', ['127.0.0.0/8'], { 'x-forwarded-for': '203.0.113.9' }, false],
  ['an untrusted peer', [], { 'x-forwarded-for': '203.0.113.9' }, true],
  ['a peer outside the trusted networks', ['10.0.0.0/8'], { 'x-forwarded-for': '203.0.113.9' }, true],
  ['Forwarded', [], { forwarded: 'for=203.0.113.9' }, true],
  ['X-Real-IP', [], { 'x-real-ip': '203.0.113.9' }, true],
])(
  'isForwardedUnverified is true only if an untrusted peer sends a forwarding header: %s',
  (_name, proxies, headers, expected) => {
    expect(sourceOf('127.0.0.1', proxies, headers).isForwardedUnverified).toBe(expected);
  },
);
