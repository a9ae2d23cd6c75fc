import { Button } from '@mantine/core';
import type { ScimToken } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SecretPanel } from '#components/ui/secret-panel.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatFullTime, formatLastUsed, formatRelative } from '#lib/format-time.ts';
import { currentUserQuery } from '#lib/session.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './panel.module.css';
import { scimTokensQuery, useRevokeScimToken } from './queries.ts';
import { TokenDialog, type TokenTask } from './token-dialog.tsx';

export function ScimTokensPanel() {
  const answer = useQuery(scimTokensQuery);
  const { data: user } = useQuery(currentUserQuery);
  const [secret, setSecret] = useState<string | null>(null);
  const [task, setTask] = useState<TokenTask | null>(null);
  const [isOpen, setOpen] = useState(false);
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the SCIM tokens');
  const mayChange = user?.role.permissions.includes('settings.write') ?? false;
  const open = (next: TokenTask) => {
    setTask(next);
    setOpen(true);
  };
  if (secret !== null) return <NewToken secret={secret} onStored={() => setSecret(null)} />;
  return (
    <div className={styles.panel}>
      {failure && <Failure {...failure} />}
      {!answer.data && !failure && <SkeletonLines count={3} />}
      {answer.data && (
        <>
          <BaseUrl url={answer.data.base_url} />
          <TokenList tokens={answer.data.scim_tokens} mayChange={mayChange} onTask={open} />
        </>
      )}
      {mayChange && answer.data && (
        <div>
          <Button variant="default" onClick={() => open({ kind: 'create' })}>
            Create SCIM token
          </Button>
        </div>
      )}
      <TokenDialog
        task={task}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSecret={(issued) => {
          setOpen(false);
          setSecret(issued);
        }}
      />
    </div>
  );
}

function NewToken({ secret, onStored }: { secret: string; onStored: () => void }) {
  return (
    <FocusedSection label="New SCIM token">
      <SecretPanel
        secret={secret}
        label="SCIM token"
        variable="SLUICE_SCIM_TOKEN"
        warning="This token is shown only once. Enter it at the identity provider now."
        onStored={onStored}
        onCopied={() => showSuccess('SCIM token copied to clipboard!')}
      />
    </FocusedSection>
  );
}

function BaseUrl({ url }: { url: string }) {
  return (
    <div>
      <h3 className={styles.label}>Base URL</h3>
      <div className={styles.url}>
        <code>{url}</code>
        <CopyButton text={url} label="Copy base URL" />
      </div>
      <p className={styles.hint}>
        Entra ID calls it the tenant URL, Okta the SCIM connector base URL. Users are matched by email
        address.
      </p>
    </div>
  );
}

interface TokenListProps {
  tokens: readonly ScimToken[];
  mayChange: boolean;
  onTask: (task: TokenTask) => void;
}

function TokenList({ tokens, mayChange, onTask }: TokenListProps) {
  if (tokens.length === 0) return <p className="quiet">No identity provider has a token yet.</p>;
  return (
    <ul className={styles.tokens} aria-label="SCIM tokens">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} mayChange={mayChange} onTask={onTask} />
      ))}
    </ul>
  );
}

function TokenRow({ token, mayChange, onTask }: Omit<TokenListProps, 'tokens'> & { token: ScimToken }) {
  const nowMs = useNow();
  return (
    <li className={styles.token}>
      <div className={styles.heading}>
        <strong>{token.name}</strong>
        <code>{token.masked_token}</code>
        {token.can_assign_roles && <Badge>Assigns roles</Badge>}
      </div>
      <div className={styles.facts}>
        <TokenExpiry token={token} nowMs={nowMs} />
        <span>Last used: {formatLastUsed(token.last_used_at, nowMs)}</span>
        {token.former_expires_at !== null && (
          <span title={formatFullTime(token.former_expires_at)}>
            Previous secret expires {formatRelative(token.former_expires_at, nowMs)}
          </span>
        )}
      </div>
      {mayChange && <TokenActions token={token} onTask={onTask} />}
    </li>
  );
}

const soonMs = 30 * 86_400_000;

function TokenExpiry({ token, nowMs }: { token: ScimToken; nowMs: number }) {
  const isSoon = Date.parse(token.expires_at) - nowMs < soonMs;
  const kind = token.is_expired ? 'bad' : isSoon ? 'warn' : 'ok';
  const words = token.is_expired ? 'Expired' : 'Expires';
  return (
    <span title={formatFullTime(token.expires_at)}>
      <StatusMark kind={kind}>
        {words} {formatRelative(token.expires_at, nowMs)}
      </StatusMark>
    </span>
  );
}

function TokenActions({ token, onTask }: { token: ScimToken; onTask: (task: TokenTask) => void }) {
  const confirm = useConfirm();
  const revoke = useRevokeScimToken();
  const askToRevoke = async () => {
    const isAgreed = await confirm({
      title: 'Revoke SCIM token',
      message: `The identity provider that uses the token "${token.name}" can no longer create, change or deactivate users. The token was last used: ${formatLastUsed(token.last_used_at, Date.now())}. This cannot be undone.`,
      confirmLabel: 'Revoke token',
      isDanger: true,
    });
    if (!isAgreed) return;
    await revoke.mutateAsync(token.id).then(
      () => showSuccess('SCIM token revoked'),
      (error: unknown) => showError(messageOf(error, 'Failed to revoke the SCIM token')),
    );
  };
  const about = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <div className={styles.actions}>
      <Button {...about} aria-label={`Edit ${token.name}`} onClick={() => onTask({ kind: 'edit', token })}>
        Edit
      </Button>
      <Button
        {...about}
        aria-label={`Rotate ${token.name}`}
        onClick={() => onTask({ kind: 'rotate', token })}
      >
        Rotate
      </Button>
      <Button
        {...about}
        aria-label={`Revoke ${token.name}`}
        disabled={revoke.isPending}
        onClick={askToRevoke}
      >
        {revoke.isPending ? 'Revoking...' : 'Revoke'}
      </Button>
    </div>
  );
}
