import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Returns the error for a recipient's address; `null` accepts the mail. */
  refuse: ((address: string) => Error | null) | null;
  close(): Promise<void>;
}

/** Stores all received mails. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const running: { refuse: MailServer['refuse'] } = { refuse: null };
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'sluice' && password === 'p@ss'
        ? done(null, { user: username })
        : done(new Error('wrong name or password')),
    onRcptTo: ({ address }, _session, done) => done(running.refuse?.(address)),
    onData(stream, { envelope }, done) {
      text(stream).then((content) => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          content: content.replace(/=\r?\n/g, '').replaceAll('=3D', '='),
        });
        done();
      }, done);
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  // safe because a server that listens on TCP has an address of this form
  const { port } = smtp.server.address() as AddressInfo;
  return Object.assign(running, {
    url: `smtp://sluice:p%40ss@127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  });
}
