import type { RoleName } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { type Mailbox, type MailWords, mailWords } from '#mail/mailbox.ts';
import type { Clock } from '#platform/clock.ts';

export interface NoticeDeps {
  readonly mailbox: Mailbox;
  readonly hasMailServer: boolean;
  readonly clock: Clock;
  /** Passkeys are bound to this URL. */
  readonly publicUrl: string;
}

export type FactorChange =
  | 'totp added'
  | 'totp removed'
  | 'passkey added'
  | 'passkey removed'
  | 'codes renewed'
  | 'reset';

type FactorEvent =
  | { readonly kind: FactorChange }
  | { readonly kind: 'recovery code used'; readonly left: number };

interface NoticeRecipient {
  readonly tenantId: number;
  readonly name: string;
  readonly email: string;
  /** Role of the account's owner. Administrators are notified even if their tenant is suspended. */
  readonly role: RoleName;
}

const lifetimeMs = 7 * 24 * 3_600_000;

const texts = {
  'totp added': mailWords`An authenticator app was added to your Sluice account.`,
  'totp removed': mailWords`The authenticator app was removed from your Sluice account.`,
  'passkey added': mailWords`A passkey was added to your Sluice account.`,
  'passkey removed': mailWords`A passkey was removed from your Sluice account.`,
  'codes renewed': mailWords`The recovery codes of your Sluice account were replaced.`,
  reset: mailWords`An administrator removed all second factors of your Sluice account. Until you set one up again, you sign in with your password only.`,
  'recovery code used': mailWords`A recovery code was used to sign in to your Sluice account.`,
} as const satisfies Record<FactorEvent['kind'], MailWords>;

/** Without a mail server, the event is only recorded in the audit log. */
export async function notifyOwner(
  { mailbox, hasMailServer, clock, publicUrl }: NoticeDeps,
  tx: TenantTransaction | SystemDatabase,
  owner: NoticeRecipient,
  event: FactorEvent,
): Promise<void> {
  if (!hasMailServer) return;
  const left =
    event.kind === 'recovery code used' ? mailWords` Unused codes left: ${String(event.left)}.` : mailWords``;
  await mailbox.putNotice(tx, {
    effect: 'second_factor_notice',
    tenantId: owner.tenantId,
    to: owner.email,
    subject: mailWords`The second factor of your Sluice account`,
    body: mailWords`Hello ${owner.name},\n\n${texts[event.kind]}${left}\n\nIf you did not expect this, change your password now and inform your administrator.`,
    action: 'Open your profile',
    link: { origin: publicUrl, path: '/dashboard/profile' },
    opensRole: owner.role,
    expiresAt: new Date(clock() + lifetimeMs),
  });
}
