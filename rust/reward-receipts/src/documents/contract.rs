//! What a contract can do beside holding its members.

use crate::generated::documents::{RewardContractV1, RewardOracleV1, RewardScoringPolicyV1};
use crate::generated::vocabulary::{OracleTier, RewardOutcomeV1};

impl RewardContractV1 {
    /// The names of the components, sorted.
    ///
    /// ```
    /// let contract = reward_receipts::samples::contract();
    /// assert_eq!(contract.component_names().collect::<Vec<_>>(), ["speed", "task"]);
    /// ```
    pub fn component_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.components().iter().map(crate::RewardComponentV1::name)
    }
}

impl RewardOracleV1 {
    /// The tier of the channel.
    ///
    /// ```
    /// use reward_receipts::{OracleTier, samples};
    ///
    /// assert_eq!(samples::contract().oracle().tier(), OracleTier::SystemOfRecord);
    /// ```
    #[must_use]
    pub fn tier(&self) -> OracleTier {
        self.channel().tier()
    }
}

impl RewardScoringPolicyV1 {
    /// The scalar of an outcome; `None` for an unscored one, which is never 0.0.
    ///
    /// ```
    /// use reward_receipts::{RewardOutcomeV1, samples};
    ///
    /// let contract = samples::contract();
    /// assert_eq!(contract.scoring().scalar_for(RewardOutcomeV1::Verified), Some(1.0));
    /// assert_eq!(contract.scoring().scalar_for(RewardOutcomeV1::FailedPlatform), None);
    /// ```
    #[must_use]
    pub fn scalar_for(&self, outcome: RewardOutcomeV1) -> Option<f64> {
        match outcome {
            RewardOutcomeV1::Verified => Some(self.verified_reward()),
            RewardOutcomeV1::HaltedBeforeEffect => Some(self.halted_before_effect_reward()),
            RewardOutcomeV1::Refused => Some(self.refused_reward()),
            RewardOutcomeV1::RejectedPolicy => Some(self.rejected_policy_reward()),
            RewardOutcomeV1::WrongEffect => Some(self.wrong_effect_reward()),
            RewardOutcomeV1::ReconciliationRequired | RewardOutcomeV1::FailedPlatform => None,
        }
    }
}
