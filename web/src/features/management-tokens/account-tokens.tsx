import { Button } from '@mantine/core';
import type { CurrentUser, ManagementToken } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Item, ItemButton, ItemList, ItemSection } from '#components/ui/item-section.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { readActingTenant } from '#lib/acting-tenant.ts';
import { formatLastUsed } from '#lib/format-time.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useNow } from '#lib/use-now.ts';
import { describeScopes } from './group-scopes.ts';
import { tokensOfUserQuery } from './queries.ts';
import { TokenState } from './state.tsx';
import { TokenDialog, type TokenOwner } from './token-form.tsx';
import { useRevoke } from './use-revoke.ts';

interface TokensOfAccountProps {
  viewer: Pick<CurrentUser, 'role'>;
  account: TokenOwner & { readonly is_active: boolean; readonly is_blocked: boolean };
}

export function TokensOfAccount({ viewer, account }: TokensOfAccountProps) {
  const dialogs = useDialogs<'create', never>();
  const { data: tokens, isError } = useQuery(tokensOfUserQuery(account.id));
  const mayChange = viewer.role.permissions.includes('api_keys.write');
  const mayCreate = mayChange && readActingTenant() === null && account.is_active && !account.is_blocked;
  return (
    <ItemSection
      title="Management tokens"
      action={
        mayCreate && (
          <Button variant="default" onClick={() => dialogs.open('create')}>
            Create token
          </Button>
        )
      }
    >
      {isError && <p className="quiet">The management tokens could not be loaded.</p>}
      {!isError && tokens === undefined && <SkeletonLines count={2} />}
      {tokens?.length === 0 && (
        <p className="quiet">
          No tokens yet. A token lets a program call the management API within the token's scopes.
        </p>
      )}
      {tokens && tokens.length > 0 && (
        <ItemList>
          {tokens.map((token) => (
            <TokenItem key={token.id} token={token} mayChange={mayChange} />
          ))}
        </ItemList>
      )}
      <TokenDialog {...dialogs.propsOf('create')} viewer={viewer} owner={account} />
    </ItemSection>
  );
}

function TokenItem({ token, mayChange }: { token: ManagementToken; mayChange: boolean }) {
  const nowMs = useNow();
  const revoke = useRevoke();
  const { name, masked_token, scopes, last_used_at } = token;
  return (
    <Item
      head={
        <>
          <strong>{name}</strong>
          <code>{masked_token}</code>
          <TokenState token={token} />
        </>
      }
      actions={
        mayChange && (
          <ItemButton isDanger aria-label={`Revoke ${name}`} onClick={() => void revoke(token)}>
            Revoke
          </ItemButton>
        )
      }
    >
      <p>{describeScopes(scopes)}</p>
      <p className="quiet">Last used: {formatLastUsed(last_used_at, nowMs)}</p>
    </Item>
  );
}
