import { Button } from '@mantine/core';
import type { ApiKey } from '@sluice/contract';
import { useConfirm } from '#components/ui/confirm.tsx';
import { Item, ItemButton, ItemList, ItemSection } from '#components/ui/item-section.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { formatDayTime, formatLastUsed } from '#lib/format-time.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useNow } from '#lib/use-now.ts';
import { dialectLabels, NamedKeyDialog, RotateDialog } from './named-key-dialogs.tsx';
import { type NamedKeys, useKeysOfUser, useOwnKeys } from './named-keys-queries.ts';

export function KeysOfUser({ userId, mayChange }: { userId: number; mayChange: boolean }) {
  return <KeyList named={useKeysOfUser(userId, mayChange)} />;
}

export function OwnKeys() {
  const named = useOwnKeys();
  if (!named.mayCreate && (named.keys?.length ?? 0) === 0) return null;
  return <KeyList named={named} />;
}

function KeyList({ named }: { named: NamedKeys }) {
  const dialogs = useDialogs<'create' | 'edit' | 'rotate', ApiKey>();
  const { keys, keysMax, isFailed, mayCreate } = named;
  const count = keys?.filter(({ kind, state }) => kind === 'named' && state === 'active').length ?? 0;
  const isFull = keysMax !== undefined && count >= keysMax;
  const subject = dialogs.about;
  return (
    <ItemSection
      title="Named keys"
      note={keysMax !== undefined && <span className="quiet num">{`${count} of ${keysMax}`}</span>}
      action={
        mayCreate && (
          <Button variant="default" disabled={isFull} onClick={() => dialogs.open('create')}>
            Create named key
          </Button>
        )
      }
    >
      {isFailed && <p className="quiet">The named keys could not be loaded.</p>}
      {!isFailed && keys === undefined && <SkeletonLines count={2} />}
      {keys?.length === 0 && (
        <p className="quiet">
          Create one key for each program. Each key can be limited to models, protocols and networks, and
          revoked separately.
        </p>
      )}
      {keys && keys.length > 0 && (
        <ItemList>
          {keys.map((key) => (
            <KeyItem
              key={key.id}
              apiKey={key}
              named={named}
              onEdit={() => dialogs.open('edit', key)}
              onRotate={() => dialogs.open('rotate', key)}
            />
          ))}
        </ItemList>
      )}
      <NamedKeyDialog {...dialogs.propsOf('create')} apiKey={null} named={named} />
      {subject && <NamedKeyDialog {...dialogs.propsOf('edit')} apiKey={subject} named={named} />}
      {subject && <RotateDialog {...dialogs.propsOf('rotate')} apiKey={subject} named={named} />}
    </ItemSection>
  );
}

interface KeyItemProps {
  apiKey: ApiKey;
  named: NamedKeys;
  onEdit: () => void;
  onRotate: () => void;
}

function KeyItem({ apiKey, named, onEdit, onRotate }: KeyItemProps) {
  const nowMs = useNow();
  const { name, masked_key, state, last_used_at } = apiKey;
  return (
    <Item
      head={
        <>
          <strong>{name}</strong>
          <code>{masked_key}</code>
          {state === 'superseded' && <StatusMark kind="warn">Replaced</StatusMark>}
          {apiKey.kind === 'task' && <StatusMark kind="off">Task key</StatusMark>}
        </>
      }
      actions={
        <>
          {named.mayEdit(apiKey) && (
            <ItemButton aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </ItemButton>
          )}
          {named.mayRotate(apiKey) && (
            <ItemButton aria-label={`Rotate ${name}`} onClick={onRotate}>
              Rotate
            </ItemButton>
          )}
          <RevokeButton apiKey={apiKey} named={named} />
        </>
      }
    >
      <p>{describeLimits(apiKey).join(' · ')}</p>
      <p className="quiet">
        Last used: {formatLastUsed(last_used_at, nowMs)}
        {apiKey.last_used_address !== null && ` from ${apiKey.last_used_address}`}
        {apiKey.last_used_model !== null && ` with ${apiKey.last_used_model}`}
      </p>
    </Item>
  );
}

function RevokeButton({ apiKey, named }: Pick<KeyItemProps, 'apiKey' | 'named'>) {
  const confirm = useConfirm();
  const revoke = async () => {
    const isAgreed = await confirm({
      title: 'Revoke API key',
      message: `Requests that use ${apiKey.name} will be rejected immediately. This cannot be undone.`,
      inUse: { of: { api_key_id: apiKey.id }, owner: apiKey.user_name },
      confirmLabel: 'Revoke API key',
      isDanger: true,
    });
    if (!isAgreed) return;
    await named.revoke(apiKey.id).then(
      () => showSuccess('API key revoked'),
      (error: unknown) => showError(messageOf(error, 'Failed to revoke API key')),
    );
  };
  return (
    <ItemButton isDanger aria-label={`Revoke ${apiKey.name}`} onClick={() => void revoke()}>
      Revoke
    </ItemButton>
  );
}

const shownModels = 3;

function describeLimits(key: ApiKey): string[] {
  const { models, dialects, allowed_networks, task_title, labels, expires_at } = key;
  const listed = models?.slice(0, shownModels).join(', ');
  const more = models && models.length > shownModels ? ` and ${models.length - shownModels} more` : '';
  return [
    models === null ? 'All models' : `${listed}${more}`,
    ...(dialects === null ? [] : [dialects.map((dialect) => dialectLabels[dialect]).join(', ')]),
    ...(allowed_networks === null ? [] : [formatQuantity(allowed_networks.length, 'network')]),
    ...(task_title === null ? [] : [`Task: ${task_title}`]),
    ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
    expires_at === null ? 'Never expires' : `Expires ${formatDayTime(expires_at)}`,
  ];
}
