import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { parseDomain } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type RememberedProvider, readRememberedProvider } from '#lib/sign-in-attempt.ts';
import styles from './provider-buttons.module.css';
import { ProviderButtons } from './provider-buttons.tsx';
import { signInOptionsQuery } from './provider-calls.ts';
import { SignInForm } from './sign-in-form.tsx';

interface SignInChoiceProps {
  email: string | undefined;
  /** Slug of a tenant's sign-in link. */
  tenant: string | undefined;
  redirect: string | null;
}

const pauseMs = 300;

/** Offers the identity providers and the password, as the visitor's tenant allows. */
export function SignInChoice({ email, tenant, redirect }: SignInChoiceProps) {
  const [typed, setTyped] = useState(email ?? '');
  const [domain] = useDebouncedValue(domainOf(typed), pauseMs);
  const { data: options } = useQuery(signInOptionsQuery({ domain, tenant }));
  const [remembered] = useState(readRememberedProvider);
  const [wantsPassword, setWantsPassword] = useState(false);
  const providers = withRemembered(options?.providers ?? [], tenant === undefined ? remembered : null);
  const hidesPassword = options?.local_passwords === 'break_glass' && providers.length > 0 && !wantsPassword;
  const others = providers.length > 0 && (
    <>
      <ProviderButtons providers={providers} redirect={redirect} />
      <p className={styles.divider}>or</p>
    </>
  );
  if (!hidesPassword)
    return (
      <SignInForm
        {...(email !== undefined && { email })}
        onEmail={setTyped}
        others={others}
        passkeyOrigin={options?.passkey_origin}
      />
    );
  return (
    <>
      {others}
      <Button variant="default" size="md" fullWidth onClick={() => setWantsPassword(true)}>
        Use a break-glass account
      </Button>
    </>
  );
}

function domainOf(email: string): string | undefined {
  const at = email.lastIndexOf('@');
  return at === -1 ? undefined : (parseDomain(email.slice(at + 1)) ?? undefined);
}

function withRemembered(
  providers: readonly RememberedProvider[],
  remembered: RememberedProvider | null,
): readonly RememberedProvider[] {
  const isListed = remembered === null || providers.some(({ id }) => id === remembered.id);
  return isListed ? providers : [remembered, ...providers];
}
