import { matching } from './checks.ts';

/** Image URL as OpenAI and compatible APIs accept it. */
export const pictureAddress = matching(
  /^(https?:\/\/|data:image\/[\w.+-]+;base64,[\w+/=-]+$)/,
  'it is neither an address nor a data URL of a picture',
);
