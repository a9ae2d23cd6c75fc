import { AccessSetup } from '#features/access-setup/panel.tsx';
import { ApiKeyDialog } from '#features/api-keys/dialog.tsx';
import { ApiKeyState } from '#features/api-keys/state.tsx';
import { InviteUserDialog } from '#features/invitations/invite-dialog.tsx';
import { LinkHandover } from '#features/outbox/link-handover.tsx';
import { RoleField, RoleNameField } from '#features/roles/field.tsx';
import { UserOverlays, type UserOverlaysProps } from '#features/users/overlays.tsx';

/** Dialogs of the users page, with the parts of other features. */
export function UserOverlaysWithSlots(props: UserOverlaysProps) {
  return (
    <UserOverlays
      {...props}
      slots={{
        apiKey: ({ id }) => <ApiKeyState userId={id} />,
        apiKeyDialog: (dialog) => <ApiKeyDialog {...dialog} />,
        inviteDialog: (dialog) => (
          <InviteUserDialog
            {...dialog}
            roleField={(field) => <RoleNameField {...field} />}
            handover={({ email }, onDone) => <LinkHandover address={email} onDone={onDone} />}
          />
        ),
        accessSetup: (user, onDone) => <AccessSetup user={user} onDone={onDone} />,
        roleField: (field, held) => <RoleField {...field} held={held} />,
      }}
    />
  );
}
