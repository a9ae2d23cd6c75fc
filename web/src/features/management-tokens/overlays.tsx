import { Button } from '@mantine/core';
import type { CurrentUser, ManagementToken } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatFullTime } from '#lib/format-time.ts';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { describeOwner } from './columns.tsx';
import styles from './drawer.module.css';
import { groupScopes } from './group-scopes.ts';
import { TokenState } from './state.tsx';
import { TokenDialog } from './token-form.tsx';

interface OverlaysProps {
  model: DataTableModel<ManagementToken>;
  tokens: readonly ManagementToken[] | undefined;
  viewer: CurrentUser;
  dialogs: ReturnType<typeof useDialogs<'create', never>>;
  /** `undefined` if the viewer may not revoke tokens. */
  onRevoke: ((token: ManagementToken) => void) | undefined;
}

export function ManagementTokensOverlays({ model, tokens, viewer, dialogs, onRevoke }: OverlaysProps) {
  const { open } = model.state.search;
  return (
    <>
      {open !== undefined && (
        <TokenDrawer model={model} tokens={tokens} id={String(open)} onRevoke={onRevoke} />
      )}
      <TokenDialog {...dialogs.propsOf('create')} viewer={viewer} />
    </>
  );
}

interface TokenDrawerProps extends Pick<OverlaysProps, 'model' | 'tokens' | 'onRevoke'> {
  id: string;
}

function TokenDrawer({ model, tokens, id, onRevoke }: TokenDrawerProps) {
  const token = tokens?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer
      model={model}
      label="Management token details"
      heading={<h2>{token?.name ?? 'Management token'}</h2>}
    >
      {!tokens && <SkeletonLines count={6} />}
      {tokens && !token && (
        <EmptyState title="Management token not found">
          This page of the list has no token with the ID {id}.
        </EmptyState>
      )}
      {token && (
        <div className={styles.details}>
          <TokenFacts token={token} />
          {onRevoke && token.state === 'active' && (
            <div>
              <Button variant="default" className={styles.revoke} onClick={() => onRevoke(token)}>
                Revoke token
              </Button>
            </div>
          )}
          <TokenScopes scopes={token.scopes} />
        </div>
      )}
    </DetailsDrawer>
  );
}

function TokenFacts({ token }: { token: ManagementToken }) {
  const { masked_token, user_id, user_kind, user_name, created_at, expires_at } = token;
  return (
    <section aria-labelledby="management-token-facts">
      <h3 id="management-token-facts">Token</h3>
      <FactList>
        <Fact name="Owner">
          <Link
            to={user_kind === 'service' ? '/admin/service-accounts' : '/admin/users'}
            search={{ open: user_id }}
          >
            {user_name}
          </Link>
          <div className="quiet">{describeOwner(token)}</div>
        </Fact>
        <Fact name="Status">
          <TokenState token={token} />
        </Fact>
        <Fact name="Token">
          <code>{masked_token}</code>
        </Fact>
        <Fact name="Last used">
          <LastUse token={token} />
        </Fact>
        <Fact name="Created">{formatFullTime(created_at)}</Fact>
        <Fact name="Expires">{formatFullTime(expires_at)}</Fact>
      </FactList>
      <p className={styles.links}>
        <Link to="/admin/audit-log" search={{ actor: user_id, filter: token.name }}>
          Calls in the audit log
        </Link>
      </p>
    </section>
  );
}

function LastUse({ token: { last_used_at, last_used_address } }: { token: ManagementToken }) {
  if (last_used_at === null) return 'Never';
  return (
    <>
      <Time value={last_used_at} />
      {last_used_address !== null && ` from ${last_used_address}`}
    </>
  );
}

function TokenScopes({ scopes }: Pick<ManagementToken, 'scopes'>) {
  return (
    <section aria-labelledby="management-token-scopes">
      <h3 id="management-token-scopes">Scopes</h3>
      <FactList>
        {groupScopes(scopes).map(({ subject, label, actions }) => (
          <Fact key={subject} name={label}>
            {actions.length === 2 ? 'Read and write' : actions[0]?.label}
          </Fact>
        ))}
      </FactList>
    </section>
  );
}
