/** Common things to mask: each is added to the list as an ordinary entry, which can be seen, changed and removed there. */
export const PRIVACY_PRESETS = {
  email: '/[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*\\.[A-Za-z]{2,}/',
  // With a country code, of ten digits in groups, or a Chinese mobile number.
  phone: '/(?:\\+|\\b00)[1-9](?:[ ().-]{0,2}\\d){6,14}\\b|\\(?\\b\\d{3}\\)?[ .-]\\d{3}[ .-]\\d{4}\\b|\\b1[3-9]\\d{9}\\b/',
  card: '/\\b(?:\\d{4}[ -]){3}\\d{4}\\b|\\b3[47]\\d{2}[ -]\\d{6}[ -]\\d{5}\\b|\\b\\d{15,16}\\b/',
  iban: '/\\b[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\\b/',
  key: '/\\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}|\\bgh[pousr]_[A-Za-z0-9]{20,}|\\bgithub_pat_[A-Za-z0-9_]{20,}|\\bxox[abprs]-[A-Za-z0-9-]{10,}|\\bAKIA[A-Z0-9]{16}\\b|\\bAIza[A-Za-z0-9_-]{30,}|\\beyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}/',
} as const;
