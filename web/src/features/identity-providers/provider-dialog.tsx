import { Button, Collapse } from '@mantine/core';
import { type IdentityProvider, signInCallbackPath } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { TextField, UrlField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { currentUserQuery } from '#lib/session.ts';
import { FurtherFields, type ProviderForm } from './further-fields.tsx';
import { providerForm, toValues } from './provider-form.ts';
import { domainsQuery, useSaveProvider } from './queries.ts';
import styles from './section.module.css';

interface ProviderDialogProps {
  /** `null` to add a provider. */
  provider: IdentityProvider | null;
  isOpen: boolean;
  onClose: () => void;
}

export function ProviderDialog({ provider, isOpen, onClose }: ProviderDialogProps) {
  const title = provider ? `Edit ${provider.name}` : 'Add identity provider';
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} size="lg">
      <ProviderFields key={provider?.id} provider={provider} onSaved={onClose} />
    </Dialog>
  );
}

/**
 * Returns the administrator's email domain if the tenant has no domain yet, or an empty string. `undefined` while
 * loading.
 */
function useOfferedDomain(provider: IdentityProvider | null): string | undefined {
  const { data: user } = useQuery(currentUserQuery);
  const { data: domains } = useQuery(domainsQuery);
  if (provider) return '';
  if (!user || !domains) return undefined;
  return domains.length > 0 ? '' : user.email.slice(user.email.lastIndexOf('@') + 1);
}

function ProviderFields(props: { provider: IdentityProvider | null; onSaved: () => void }) {
  const domain = useOfferedDomain(props.provider);
  return domain === undefined ? null : <LoadedFields {...props} domain={domain} />;
}

interface LoadedFieldsProps {
  provider: IdentityProvider | null;
  domain: string;
  onSaved: () => void;
}

function LoadedFields({ provider, domain, onSaved }: LoadedFieldsProps) {
  const save = useSaveProvider();
  const [callbackKey] = useState(makeCallbackKey);
  const form = useContractForm({ schema: providerForm, initialValues: toValues(provider, domain) });
  return (
    <Form
      form={form}
      submitLabel={provider ? 'Save changes' : 'Add provider'}
      pendingLabel={provider ? 'Saving...' : 'Adding...'}
      fallbackProblem="The identity provider could not be saved"
      onSubmit={async ({ body, domain: added }) => {
        const given = provider ? body : { ...body, callback_key: callbackKey };
        const domainProblem = await save.mutateAsync({
          id: provider?.id ?? null,
          body: given,
          domain: added,
        });
        showSuccess(provider ? 'Identity provider saved' : 'Identity provider added');
        if (domainProblem !== null) showError(domainProblem);
        onSaved();
      }}
    >
      <RedirectUris provider={provider} callbackKey={callbackKey} />
      <ClientFields form={form} provider={provider} hasDomain={domain !== ''} />
      <Further form={form} isOpenAtFirst={provider !== null} />
    </Form>
  );
}

/** Generates the callback key before the provider is saved, so that the redirect URI can be registered first. */
const makeCallbackKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

interface RedirectUrisProps {
  provider: IdentityProvider | null;
  /** Used for a new provider. */
  callbackKey: string;
}

function RedirectUris({ provider, callbackKey }: RedirectUrisProps) {
  const { data: user } = useQuery(currentUserQuery);
  if (!user) return null;
  const ownUri = `${window.location.origin}${signInCallbackPath(`${user.tenant.id}-${callbackKey}`)}`;
  const redirectUri = provider?.redirect_uri ?? ownUri;
  return (
    <div className={styles.hint}>
      <Uri label="Redirect URI" uri={redirectUri} />
      {provider && <Uri label="Back-channel logout URI" uri={provider.backchannel_logout_uri} />}
      {provider && <Uri label="JWKS URL for private_key_jwt" uri={provider.jwks_uri} />}
      Register {provider ? 'these' : 'it'} with the provider, as a web application with the authorization code
      flow.
    </div>
  );
}

function Uri({ label, uri }: { label: string; uri: string }) {
  return (
    <div className={styles.uri}>
      <span>
        {label}: <code>{uri}</code>
      </span>
      <CopyButton text={uri} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

interface ClientFieldsProps {
  form: ProviderForm;
  provider: IdentityProvider | null;
  hasDomain: boolean;
}

function ClientFields({ form: { bind }, provider, hasDomain }: ClientFieldsProps) {
  return (
    <>
      <UrlField label="Issuer" placeholder="https://login.example.com" data-autofocus {...bind('issuer')} />
      <TextField label="Client ID" autoCapitalize="none" spellCheck={false} {...bind('client_id')} />
      <PasswordField
        label="Client secret"
        noun="client secret"
        autoComplete="off"
        placeholder={provider?.has_client_secret ? 'Unchanged' : undefined}
        {...bind('client_secret')}
      />
      {!provider && (
        <p className={styles.hint}>
          To use private_key_jwt, enter a private key as a JSON Web Key. Its public part is then available at
          a JWKS URL, which this form shows after the provider is added. Leave the secret empty for a public
          client, which uses PKCE instead.
        </p>
      )}
      {hasDomain && (
        <TextField
          label="Email domain of your users"
          autoCapitalize="none"
          spellCheck={false}
          description="Users with a verified email address in this domain get an account, once a super administrator has confirmed that you own the domain."
          {...bind('domain')}
        />
      )}
    </>
  );
}

function Further({ form, isOpenAtFirst }: { form: ProviderForm; isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      {!isOpenAtFirst && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Roles, teams and further options
        </Button>
      )}
      <Collapse expanded={isOpen}>
        <FurtherFields form={form} />
      </Collapse>
    </>
  );
}
