/** Thrown when this node's secret differs from that of the database. `message` explains the fix. */
export class WrongSecretError extends Error {
  override readonly name = 'WrongSecretError';

  constructor() {
    super(
      'This database was set up with another secret. Set SLUICE_SECRET to that secret, or SLUICE_DATA_DIR to the folder that contains it. With a new secret, no API key, session or provider key would work.',
    );
  }
}
