import { Button } from '@mantine/core';
import type { SecondFactor } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '#components/ui/notice.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { lazyPart, useEverTrue } from '#lib/lazy-part.tsx';
import { canUsePasskeys } from '#lib/passkey.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import type { FactorChange } from './change-dialog.tsx';
import styles from './panel.module.css';
import { secondFactorQuery } from './queries.ts';

const FactorChangeDialog = lazyPart(() => import('./change-dialog.tsx'), 'FactorChangeDialog');
const PasskeyDialog = lazyPart(() => import('./passkey-dialog.tsx'), 'PasskeyDialog');
const TotpDialog = lazyPart(() => import('./totp-dialog.tsx'), 'TotpDialog');

export function SecondFactorPanel() {
  const answer = useQuery(secondFactorQuery);
  const failure = describeFailure(answer, 'Your second factors could not be loaded');
  return (
    <Panel label="Second factor">
      <h2>Second factor</h2>
      {failure && <Failure {...failure} />}
      {!failure && !answer.data && <SkeletonLines count={4} />}
      {answer.data && <Factors factor={answer.data} />}
    </Panel>
  );
}

function Factors({ factor }: { factor: SecondFactor }) {
  const dialogs = useDialogs<'totp' | 'passkey' | 'change', FactorChange>();
  const { about: change } = dialogs;
  const start = (kind: 'totp' | 'passkey') => dialogs.open(kind);
  const ask = (next: FactorChange) => dialogs.open('change', next);
  const [totp, passkey] = [dialogs.propsOf('totp'), dialogs.propsOf('passkey')];
  const hasTotp = useEverTrue(totp.isOpen);
  const hasPasskey = useEverTrue(passkey.isOpen);
  return (
    <>
      <p>
        {factor.is_on ? (
          <StatusMark kind="ok">
            {factor.passkeys.length > 0
              ? 'On. Signing in requires a passkey, or your password and a second factor.'
              : 'On. Signing in requires your password and a second factor.'}
          </StatusMark>
        ) : (
          <StatusMark kind={factor.is_required ? 'bad' : 'off'}>
            {factor.is_required
              ? 'Your role requires a second factor. Add one to continue.'
              : 'Off. You sign in with your password only.'}
          </StatusMark>
        )}
      </p>
      <ul className={styles.factors}>
        <TotpRow factor={factor} onAdd={() => start('totp')} onChange={ask} />
        <PasskeyRows factor={factor} onAdd={() => start('passkey')} onChange={ask} />
        {factor.is_on && <CodesRow factor={factor} onChange={ask} />}
      </ul>
      {hasTotp && <TotpDialog {...totp} />}
      {hasPasskey && <PasskeyDialog {...passkey} />}
      {change && <FactorChangeDialog {...dialogs.propsOf('change')} change={change} />}
    </>
  );
}

interface RowProps {
  factor: SecondFactor;
  onChange: (change: FactorChange) => void;
}

interface FactorRowProps {
  name: string;
  detail: ReactNode;
  children: ReactNode;
}

function FactorRow({ name, detail, children }: FactorRowProps) {
  return (
    <li className={styles.factor}>
      <div className={styles.text}>
        <p>{name}</p>
        <span className="quiet">{detail}</span>
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  );
}

type Use = Pick<SecondFactor['passkeys'][number], 'created_at' | 'last_used_at'>;

function UseOf({ use: { created_at, last_used_at } }: { use: Use }) {
  return (
    <>
      Added <Time value={created_at} />
      {' · '}
      {last_used_at === null ? (
        'not used yet'
      ) : (
        <>
          last used <Time value={last_used_at} />
        </>
      )}
    </>
  );
}

function TotpRow({ factor: { totp }, onAdd, onChange }: RowProps & { onAdd: () => void }) {
  return (
    <FactorRow
      name="Authenticator app"
      detail={totp ? <UseOf use={totp} /> : 'An app on your phone shows a new code every 30 seconds.'}
    >
      {totp ? (
        <Button
          variant="default"
          aria-label="Remove authenticator app"
          onClick={() => onChange({ kind: 'remove totp', name: 'the authenticator app' })}
        >
          Remove
        </Button>
      ) : (
        <Button variant="default" onClick={onAdd}>
          Add authenticator app
        </Button>
      )}
    </FactorRow>
  );
}

const passkeysMax = 10;

function PasskeyRows({ factor, onAdd, onChange }: RowProps & { onAdd: () => void }) {
  const { passkeys } = factor;
  const obstacle = findObstacle(factor);
  return (
    <>
      {passkeys.map(({ id, name, ...use }) => (
        <FactorRow key={id} name={`Passkey ${name}`} detail={<UseOf use={use} />}>
          <Button
            variant="default"
            aria-label={`Remove passkey ${name}`}
            onClick={() => onChange({ kind: 'remove passkey', id, name: `the passkey ${name}` })}
          >
            Remove
          </Button>
        </FactorRow>
      ))}
      <FactorRow
        name={passkeys.length === 0 ? 'Passkey' : 'Another passkey'}
        detail={
          obstacle ??
          "Use your device's fingerprint, face or PIN, a security key, or a password manager. You can also sign in with it instead of your password."
        }
      >
        <Button variant="default" disabled={obstacle !== null} onClick={onAdd}>
          Add passkey
        </Button>
      </FactorRow>
    </>
  );
}

/** Returns why the user cannot add a passkey on this page, or `null`. */
function findObstacle({ passkeys, passkey_origin: origin }: SecondFactor): string | null {
  if (passkeys.length >= passkeysMax)
    return `Limit for passkeys reached: ${passkeysMax} of ${passkeysMax}. Remove one to add another.`;
  if (origin === null)
    return 'Passkeys require a public URL with a domain name and HTTPS. Ask the operator to set PUBLIC_URL.';
  if (origin !== window.location.origin)
    return `Passkeys work at ${origin} only. Open Sluice there to add one.`;
  return canUsePasskeys() ? null : 'This browser does not support passkeys.';
}

function CodesRow({ factor: { recovery_codes_left: left }, onChange }: RowProps) {
  const detail =
    left === 0
      ? 'All recovery codes are used. Create new ones now.'
      : `${formatQuantity(left, 'unused code')}. Each lets you sign in once without your device.`;
  return (
    <FactorRow name="Recovery codes" detail={detail}>
      <Button variant="default" onClick={() => onChange({ kind: 'renew codes', name: 'the recovery codes' })}>
        Create new codes
      </Button>
    </FactorRow>
  );
}
