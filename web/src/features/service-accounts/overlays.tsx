import { Button } from '@mantine/core';
import type { CurrentUser, ServiceAccount } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Time } from '#components/ui/time.tsx';
import { AccessSetup } from '#features/access-setup/index.ts';
import { KeysOfUser } from '#features/api-keys/index.ts';
import { BudgetsSection } from '#features/budgets/index.ts';
import { TokensOfAccount } from '#features/management-tokens/index.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatFullTime } from '#lib/format-time.ts';
import { useCreated } from '#lib/use-created.ts';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { AccountForm } from './account-form.tsx';
import { AccountState, KeyExpiry, ownerOf } from './columns.tsx';
import styles from './drawer.module.css';

export type DialogKind = 'create' | 'edit' | 'access';

interface OverlaysProps {
  model: DataTableModel<ServiceAccount>;
  accounts: readonly ServiceAccount[] | undefined;
  dialogs: ReturnType<typeof useDialogs<DialogKind, ServiceAccount>>;
  viewer: CurrentUser;
}

export function ServiceAccountsOverlays({ model, accounts, dialogs, viewer }: OverlaysProps) {
  const { open } = model.state.search;
  const { about, propsOf } = dialogs;
  const edit = propsOf('edit');
  const access = propsOf('access');
  return (
    <>
      {open !== undefined && (
        <AccountDrawer
          model={model}
          accounts={accounts}
          id={String(open)}
          viewer={viewer}
          onGiveAccess={(account) => dialogs.open('access', account)}
        />
      )}
      <CreateDialog {...propsOf('create')} />
      {about && (
        <>
          <Dialog {...edit} title="Edit service account">
            <AccountForm account={about} onSaved={edit.onClose} />
          </Dialog>
          <Dialog {...access} title={`Give access to ${about.name}`}>
            <AccountAccess account={about} onDone={access.onClose} />
          </Dialog>
        </>
      )}
    </>
  );
}

/** Keys of service accounts have names, so the account's details offer them instead. */
function AccountAccess({ account, onDone }: { account: ServiceAccount; onDone: () => void }) {
  const { id, name, role, missing } = account;
  return (
    <AccessSetup
      user={{ id, name, role_name: role, missing }}
      titleWithoutKey={`${name} has a task and models. Create a named key in its details, and send requests with it:`}
      onDone={onDone}
    />
  );
}

/** Offers access to a new account, because its requests are rejected until it has a task and models. */
function CreateDialog({ isOpen, onClose }: Pick<ComponentProps<typeof Dialog>, 'isOpen' | 'onClose'>) {
  const [created, setCreated] = useCreated<ServiceAccount>(isOpen);
  const title = created
    ? `Service account created: give access to ${created.name}`
    : 'Create service account';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {created ? (
        <AccountAccess account={created} onDone={onClose} />
      ) : (
        <AccountForm onSaved={(account) => (account.missing.length > 0 ? setCreated(account) : onClose())} />
      )}
    </Dialog>
  );
}

interface AccountDrawerProps extends Pick<OverlaysProps, 'model' | 'accounts' | 'viewer'> {
  id: string;
  onGiveAccess: (account: ServiceAccount) => void;
}

function AccountDrawer({ model, accounts, id, viewer, onGiveAccess }: AccountDrawerProps) {
  const mayChange = viewer.role.permissions.includes('users.write');
  const account = accounts?.find((listed) => String(listed.id) === id);
  const heading = <h2>{account?.name ?? 'Service account'}</h2>;
  return (
    <DetailsDrawer model={model} label="Service account details" heading={heading}>
      {!accounts && <SkeletonLines count={6} />}
      {accounts && !account && (
        <EmptyState title="Service account not found">
          This tenant has no service account with the ID {id}.
        </EmptyState>
      )}
      {account && (
        <div className={styles.details}>
          <AccountFacts account={account} />
          {account.is_active && account.missing.length > 0 && (
            <Notice
              kind="warn"
              title={`Requests are refused, because the account has no ${account.missing.join(' and no ')}.`}
              action={mayChange && <Button onClick={() => onGiveAccess(account)}>Give access</Button>}
            />
          )}
          <BudgetsSection of={{ owner_id: account.id }} />
          <KeysOfUser userId={account.id} mayChange={viewer.role.permissions.includes('api_keys.write')} />
          <TokensOfAccount viewer={viewer} account={account} />
        </div>
      )}
    </DetailsDrawer>
  );
}

function AccountFacts({ account }: { account: ServiceAccount }) {
  const { id, role, team_id, last_used_at, keys_expire_at } = account;
  return (
    <section aria-labelledby="service-account-facts">
      <h3 id="service-account-facts">Account</h3>
      <FactList>
        <Fact name="Owner">
          {team_id === null ? (
            ownerOf(account)
          ) : (
            <Link to="/admin/teams" search={{ open: team_id }}>
              {ownerOf(account)}
            </Link>
          )}
        </Fact>
        <Fact name="Status">
          <AccountState account={account} />
        </Fact>
        <Fact name="Role">{role === 'admin' ? 'Admin' : 'User'}</Fact>
        <Fact name="Deviation score">{account.scores_deviation ? 'On' : 'Off'}</Fact>
        <Fact name="Last used">{last_used_at === null ? 'Never' : <Time value={last_used_at} />}</Fact>
        {keys_expire_at !== null && (
          <Fact name="Keys">
            <KeyExpiry at={keys_expire_at} />
          </Fact>
        )}
        <Fact name="Cost this month">{formatUsd(account.spend_usd_month)}</Fact>
        <Fact name="Created">{formatFullTime(account.created_at)}</Fact>
        <Fact name="User ID">{id}</Fact>
      </FactList>
      <p className={styles.links}>
        <Link to="/admin/users" search={{ open: id }}>
          Limits, tasks and models
        </Link>
        {' · '}
        <Link to="/admin/logs" search={{ user: id }}>
          Requests
        </Link>
      </p>
    </section>
  );
}
