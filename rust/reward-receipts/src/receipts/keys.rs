//! Keys: the public ones that a reader holds, and the private one of a signer. No message has any byte of a key.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use crate::core::redaction::redacted;
use crate::core::strict_json::read;
use crate::generated::schemas::OPAQUE_ID;
use crate::receipts::ed25519::Expanded;

/// A key or a keyring is malformed. No message has a byte of what could be a key.
///
/// ```
/// use reward_receipts::{KeyError, Keyring};
///
/// let error = Keyring::read(br#"{"issuer.key:1": "AAAA"}"#).unwrap_err();
/// assert!(matches!(error, KeyError::Length { bytes: 3, .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The text is not JSON; the place and the code of its first fault. Its sentence would quote the text, which may be
    /// a private key by mistake.
    #[error("{line}:{column}: {code}; a keyring is JSON")]
    Text {
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// What is wrong.
        code: crate::Code,
    },
    /// The JSON is not an object of texts.
    #[error("a keyring is a JSON object of key ids and base64 public keys")]
    NotAKeyring,
    /// The JSON is a private key file.
    #[error("this is a private key file; a keyring holds public keys")]
    IsPrivate,
    /// The text is not a private key file.
    #[error("this is not a private key file of reward-receipts keygen")]
    NotPrivate,
    /// An id is not an `OpaqueId`.
    #[error("the key id {id} is not an OpaqueId (8 to 128 of A-Z a-z 0-9 . _ : -)")]
    Id {
        /// The id as a message shows it.
        id: String,
    },
    /// A key is not base64.
    #[error("the key of {id} is not base64")]
    NotBase64 {
        /// The id.
        id: String,
    },
    /// A key has another spelling than the canonical one.
    #[error("the key of {id} is not canonical base64; one key has one spelling")]
    NotCanonical {
        /// The id.
        id: String,
    },
    /// A key has another length.
    #[error("the key of {id} has {bytes} bytes; an Ed25519 key has 32")]
    Length {
        /// The id.
        id: String,
        /// How many bytes it has.
        bytes: usize,
    },
    /// Others than the owner can read a private key file.
    #[error("mode {mode:04o} lets others read the private key; chmod 600 it")]
    Mode {
        /// The mode.
        mode: u32,
    },
    /// A file could not be read or written, or there are no random bytes.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The public keys that a reader holds, by issuer key id. Cannot change.
///
/// ```
/// use reward_receipts::{Keyring, SigningKey};
///
/// let key = SigningKey::generate("issuer.key:1")?;
/// let keyring = Keyring::from_keys([("issuer.key:1", key.public_key())])?;
/// assert!(keyring.get("issuer.key:1").is_some());
/// assert!(keyring.get("issuer.key:2").is_none());
/// # Ok::<(), reward_receipts::KeyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keyring {
    keys: BTreeMap<Box<str>, [u8; 32]>,
}

impl Keyring {
    /// A keyring of ids and public keys.
    ///
    /// ```
    /// assert!(reward_receipts::Keyring::from_keys([("short", [0; 32])]).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// An id that is not an `OpaqueId`.
    pub fn from_keys<'k>(keys: impl IntoIterator<Item = (&'k str, [u8; 32])>) -> Result<Self, KeyError> {
        let keys = keys.into_iter().map(|(id, key)| Ok((require_key_id(id)?.into(), key)));
        Ok(Self { keys: keys.collect::<Result<_, KeyError>>()? })
    }

    /// A keyring in the JSON text of an object of ids and base64 texts. It is checked whole, before any key is looked up.
    ///
    /// ```
    /// let text = br#"{"issuer.key:1": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}"#;
    /// assert_eq!(reward_receipts::Keyring::read(text)?.ids().count(), 1);
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What is malformed.
    pub fn read(text: &[u8]) -> Result<Self, KeyError> {
        let value = read(text).map_err(|refused| {
            let fault = &refused.findings()[0];
            let (line, column) = (fault.line.unwrap_or(1), fault.column.unwrap_or(1));
            KeyError::Text { line, column, code: fault.code }
        })?;
        let members = value.members().ok_or(KeyError::NotAKeyring)?;
        if value.get("private_key").is_some() {
            return Err(KeyError::IsPrivate);
        }
        let keys = members.map(|(id, key)| Ok((id, key.as_str().ok_or(KeyError::NotAKeyring)?)));
        let keys = keys.collect::<Result<Vec<_>, KeyError>>()?;
        let ids = keys.iter().map(|(id, _)| require_key_id(id));
        ids.collect::<Result<Vec<_>, KeyError>>()?;
        let keys = keys.into_iter().map(|(id, key)| Ok((id.into(), public_key(id, key)?)));
        Ok(Self { keys: keys.collect::<Result<_, KeyError>>()? })
    }

    /// A keyring in a file.
    ///
    /// ```no_run
    /// let keyring = reward_receipts::Keyring::from_file("keyring.json")?;
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What is malformed, or what kept the file from being read.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, KeyError> {
        Self::read(&beginning_of(path.as_ref(), crate::MAX_TEXT_BYTES as u64 + 1)?)
    }

    /// The key that is held under an id.
    ///
    /// ```
    /// assert!(reward_receipts::Keyring::default().get("issuer.key:1").is_none());
    /// ```
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&[u8; 32]> {
        self.keys.get(id)
    }

    /// The ids under which keys are held, sorted.
    ///
    /// ```
    /// assert_eq!(reward_receipts::Keyring::default().ids().count(), 0);
    /// ```
    pub fn ids(&self) -> impl ExactSizeIterator<Item = &str> {
        self.keys.keys().map(|id| &**id)
    }
}

/// A private key and its issuer key id. Its bytes are never shown, and are wiped when it is dropped.
///
/// ```
/// let key = reward_receipts::SigningKey::generate("issuer.key:1")?;
/// assert_eq!(format!("{key:?}"), "SigningKey(\"issuer.key:1\", private)");
/// # Ok::<(), reward_receipts::KeyError>(())
/// ```
pub struct SigningKey {
    id: Box<str>,
    seed: Zeroizing<[u8; 32]>,
    expanded: Expanded,
}

impl SigningKey {
    /// The key of a seed of 32 bytes.
    ///
    /// ```
    /// assert!(reward_receipts::SigningKey::from_seed("no", &[0; 32]).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// An id that is not an `OpaqueId`.
    pub fn from_seed(id: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        let expanded = Expanded::of_seed(seed);
        Ok(Self { id: require_key_id(id)?.into(), seed: Zeroizing::new(*seed), expanded })
    }

    /// A new key from the system's random source.
    ///
    /// ```
    /// let key = reward_receipts::SigningKey::generate("issuer.key:1")?;
    /// assert_eq!(key.id(), "issuer.key:1");
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An id that is not an `OpaqueId`; a system without random bytes.
    pub fn generate(id: &str) -> Result<Self, KeyError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed).map_err(|error| std::io::Error::other(error.to_string()))?;
        Self::from_seed(id, &seed)
    }

    /// The key in the text of a file that `keygen` wrote.
    ///
    /// ```
    /// assert!(reward_receipts::SigningKey::read(b"{}").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// A text that is no such file. What is wrong with it is not reported: the message could have a part of the key.
    pub fn read(text: &[u8]) -> Result<Self, KeyError> {
        let value = read(text).map_err(|_| KeyError::NotPrivate)?;
        let members = value.members().ok_or(KeyError::NotPrivate)?;
        let (Some(id), Some(key), 2) = (value.get("issuer_key_id"), value.get("private_key"), members.len()) else {
            return Err(KeyError::NotPrivate);
        };
        let (Some(id), Some(key)) = (id.as_str(), key.as_str()) else { return Err(KeyError::NotPrivate) };
        let bytes = Zeroizing::new(STANDARD.decode(key).map_err(|_| KeyError::NotPrivate)?);
        let seed: &[u8; 32] = bytes.as_slice().try_into().map_err(|_| KeyError::NotPrivate)?;
        Self::from_seed(id, seed)
    }

    /// The key in a file that `keygen` wrote. On Unix a file that others than its owner can read is refused.
    ///
    /// ```no_run
    /// let key = reward_receipts::SigningKey::from_file("issuer.private.json")?;
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that is not a private key file, that others can read, or that cannot be read.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, KeyError> {
        let path = path.as_ref();
        let key = Self::read(&Zeroizing::new(beginning_of(path, crate::MAX_KEY_FILE_BYTES as u64)?))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let mode = std::fs::metadata(path)?.mode() & 0o7777;
            if mode & 0o077 != 0 {
                return Err(KeyError::Mode { mode });
            }
        }
        Ok(key)
    }

    /// Writes the private key to a new file, which on Unix has mode 0600.
    ///
    /// ```no_run
    /// reward_receipts::SigningKey::generate("issuer.key:1")?.write("issuer.private.json")?;
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that is there already, or cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), KeyError> {
        use std::io::Write as _;
        let key = Zeroizing::new(STANDARD.encode(*self.seed));
        let text = Zeroizing::new(format!("{{\"issuer_key_id\":\"{}\",\"private_key\":\"{}\"}}\n", self.id, &*key));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        let mut file = options.open(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        Ok(())
    }

    /// The issuer key id of the documents that it signs.
    ///
    /// ```
    /// assert_eq!(reward_receipts::SigningKey::generate("issuer.key:1")?.id(), "issuer.key:1");
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The 32 bytes of the public key.
    ///
    /// ```
    /// let key = reward_receipts::SigningKey::generate("issuer.key:1")?;
    /// assert_eq!(key.keyring().get("issuer.key:1"), Some(&key.public_key()));
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    #[must_use]
    pub fn public_key(&self) -> [u8; 32] {
        self.expanded.public
    }

    /// A keyring of the public key.
    ///
    /// ```
    /// let keyring = reward_receipts::SigningKey::generate("issuer.key:1")?.keyring();
    /// assert_eq!(keyring.ids().collect::<Vec<_>>(), ["issuer.key:1"]);
    /// # Ok::<(), reward_receipts::KeyError>(())
    /// ```
    #[must_use]
    pub fn keyring(&self) -> Keyring {
        Keyring { keys: BTreeMap::from([(self.id.clone(), self.expanded.public)]) }
    }

    /// The base64 of the signature over a message.
    pub(crate) fn signature_of(&self, message: &[u8]) -> String {
        STANDARD.encode(self.expanded.sign(message))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({:?}, private)", redacted(&self.id))
    }
}

fn require_key_id(id: &str) -> Result<&str, KeyError> {
    let form = OPAQUE_ID.form.is_some_and(|form| form.states.accept(id));
    if form { Ok(id) } else { Err(KeyError::Id { id: crate::core::findings::shown_text(id) }) }
}

fn public_key(id: &str, text: &str) -> Result<[u8; 32], KeyError> {
    let id = || redacted(id).into_owned();
    let key = STANDARD.decode(text).map_err(|error| match error {
        base64::DecodeError::InvalidLastSymbol { .. } => KeyError::NotCanonical { id: id() },
        _ => KeyError::NotBase64 { id: id() },
    })?;
    key.as_slice().try_into().map_err(|_| KeyError::Length { id: id(), bytes: key.len() })
}

fn beginning_of(path: &Path, most: u64) -> Result<Vec<u8>, KeyError> {
    use std::io::Read as _;
    let mut data = Vec::new();
    std::fs::File::open(path)?.take(most).read_to_end(&mut data)?;
    Ok(data)
}
