import { z } from 'zod';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { typedPasswordMax } from '../fold-text.ts';
import { idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { session } from './auth.ts';
import { user } from './users.ts';

export const secondFactorMethods = ['totp', 'passkey', 'recovery_code'] as const;

/** Fields of the 401 response of `login`. */
export const secondFactorChallenge = z.object({
  code: z.literal('second_factor_required'),
  /** Exchanged once, together with a second factor, for a session. */
  ticket: z.string(),
  expires_at: instant,
  methods: z.array(z.enum(secondFactorMethods)),
  /** Options for `navigator.credentials.get`. `null` if the user has no passkey. */
  passkey_options: z.record(z.string(), z.unknown()).nullable(),
});

export type SecondFactorChallenge = z.infer<typeof secondFactorChallenge>;

const credentialIdMax = 1_400;
/** Bytes in base64url. */
const bytes = z.string().max(8_000);

const passkeyFields = {
  id: z.string().min(1).max(credentialIdMax),
  rawId: z.string().max(credentialIdMax),
  type: z.literal('public-key'),
};

/** Result of `navigator.credentials.create`. Other fields are ignored. */
const newPasskey = z.object({
  ...passkeyFields,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(30)).max(20).optional(),
  }),
});

/** Result of `navigator.credentials.get`. Other fields are ignored. */
const passkeySignature = z.object({
  ...passkeyFields,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    /** Required for a sign-in without a password. */
    userHandle: z.string().max(200).optional(),
  }),
});

export type NewPasskeyJson = z.infer<typeof newPasskey>;
export type PasskeySignatureJson = z.infer<typeof passkeySignature>;

const totpCode = z
  .string('Enter the code of your authenticator app')
  .max(20, 'The code must have 6 digits')
  .transform((code) => code.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'The code must have 6 digits'));

const ticket = z.string('The ticket of the sign-in is required').min(1).max(100);

/** Sign-in ticket and exactly one proof. */
export const completeSignInBody = z.union(
  [
    z.strictObject({ ticket, code: totpCode }),
    z.strictObject({ ticket, recovery_code: z.string().min(1).max(40) }),
    z.strictObject({ ticket, passkey: passkeySignature }),
  ],
  'Send the ticket and exactly one of: code (6 digits), recovery_code, passkey',
);

const passkeySignInStart = z.object({
  /** Challenge for one sign-in of the same client (`User-Agent`). */
  challenge: z.string(),
  expires_at: instant,
  /** Options for `navigator.credentials.get`, including the challenge. */
  options: z.record(z.string(), z.unknown()),
});

export type PasskeySignInStart = z.infer<typeof passkeySignInStart>;

export const finishPasskeySignInBody = z.strictObject({
  challenge: z.string('The challenge of the sign-in is required').min(1).max(200),
  passkey: passkeySignature,
});

export const passkeyNameMax = 60;

export const addPasskeyBody = z.strictObject({
  name: z
    .string('Name is required')
    .trim()
    .min(1, 'Name is required')
    .max(passkeyNameMax, `Name must be at most ${passkeyNameMax} characters`)
    .refine(isPlainLine, notPlainLine('Name')),
  passkey: newPasskey,
});

export const confirmTotpBody = z.strictObject({ code: totpCode });

export const confirmPasswordBody = z.strictObject({
  password: z.string('Password is required').min(1, 'Password is required').max(typedPasswordMax),
});

const use = { created_at: instant, last_used_at: instant.nullable() };

export const secondFactor = z.object({
  is_on: z.boolean(),
  /** If required, the session can be used only to set up a factor until one exists. */
  is_required: z.boolean(),
  totp: z.object(use).nullable(),
  passkeys: z.array(z.object({ id: z.number().int(), name: z.string(), ...use })),
  recovery_codes_left: z.number().int(),
  /** `null` if the public URL allows no passkeys, because it has no domain name. */
  passkey_origin: z.string().nullable(),
  /** True if the sign-in is older than 15 minutes. Changes then require `confirmPassword` first. */
  needs_password: z.boolean(),
});

export type SecondFactor = z.infer<typeof secondFactor>;

/** Includes a new token of the current session, since each change ends all other sessions. */
const changed = session.extend({
  /** Shown once when the first factor is added. `null` otherwise. */
  recovery_codes: z.array(z.string()).nullable(),
});

const path = '/user/second-factor';
/** Also served to sessions that must set up a second factor first. */
const own = {
  surface: 'management',
  permission: 'account.read',
  servesSetup: true,
  refusesTokens: true,
} as const;

export const secondFactorRoutes = defineRoutes({
  completeSignIn: {
    method: 'POST',
    path: '/auth/second-factor',
    surface: 'management',
    permission: 'anyone',
    summary: 'Complete a sign-in with a second factor, using the ticket that the login returned',
    request: { body: completeSignInBody },
    response: session,
  },
  startPasskeySignIn: {
    method: 'POST',
    path: '/auth/passkey/options',
    surface: 'management',
    permission: 'anyone',
    summary: 'Get a challenge for a sign-in with a passkey alone, without a password',
    response: passkeySignInStart,
  },
  finishPasskeySignIn: {
    method: 'POST',
    path: '/auth/passkey',
    surface: 'management',
    permission: 'anyone',
    summary:
      'Exchange the signature of a passkey that verified its user by PIN or biometrics for a session token',
    request: { body: finishPasskeySignInBody },
    response: session,
  },
  getSecondFactor: {
    ...own,
    method: 'GET',
    path,
    summary: "Get the caller's second factors",
    response: secondFactor,
  },
  confirmPassword: {
    ...own,
    method: 'POST',
    path: `${path}/confirm-password`,
    summary: 'Confirm the password in this session; the second factor can then be changed for 15 minutes',
    request: { body: confirmPasswordBody },
    response: z.void(),
    status: 204,
  },
  startTotp: {
    ...own,
    method: 'POST',
    path: `${path}/totp`,
    summary:
      'Create the secret of an authenticator app, which becomes active when its first code is confirmed',
    response: z.object({ otpauth_url: z.string(), secret: z.string() }),
  },
  confirmTotp: {
    ...own,
    method: 'POST',
    path: `${path}/totp/confirm`,
    summary: 'Add the authenticator app by its first code; all other sessions end',
    request: { body: confirmTotpBody },
    response: changed,
  },
  removeTotp: {
    ...own,
    method: 'DELETE',
    path: `${path}/totp`,
    summary: 'Remove the authenticator app; all other sessions end',
    response: changed,
  },
  startPasskey: {
    ...own,
    method: 'POST',
    path: `${path}/passkeys/options`,
    summary: 'Get the options with which a browser creates a passkey',
    response: z.record(z.string(), z.unknown()),
  },
  addPasskey: {
    ...own,
    method: 'POST',
    path: `${path}/passkeys`,
    summary: 'Add the passkey that a browser created, at most 10; all other sessions end',
    request: { body: addPasskeyBody },
    response: changed,
  },
  removePasskey: {
    ...own,
    method: 'DELETE',
    path: `${path}/passkeys/{id}`,
    summary: "Remove one of the caller's passkeys; all other sessions end",
    request: { params: idParams },
    response: changed,
  },
  renewRecoveryCodes: {
    ...own,
    method: 'POST',
    path: `${path}/recovery-codes`,
    summary: 'Replace the recovery codes; they are shown once, and all other sessions end',
    response: changed,
  },
  resetSecondFactor: {
    refusesTokens: true,
    method: 'DELETE',
    path: '/admin/users/{id}/second-factor',
    surface: 'management',
    permission: 'users.write',
    summary: "Remove all second factors of another user and end all of the user's sessions",
    request: { params: idParams },
    response: user,
  },
});
